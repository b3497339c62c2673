// Two words that are as often one, in code and in sentences.
const COMPOUNDS = `
  auto complete, back end, back log, back off, back pressure, back slash, back trace, back track, back up, bit map, bit mask,
  black list, block list, allow list, deny list, white list, book mark, boot strap, break point, broad cast, byte code,
  call back, call site, change log, check box, check out, check point, check sum, class path, clean up, clip board, code base,
  count down, data base, data set, data store, date time, dead line, dead lock, down grade, down load, down stream, drop down,
  end point, entry point, fall back, field name, file name, file path, file system, finger print, fire wall, folder name,
  for each, frame work, front end, full screen, gate way, hand shake, hard link, hash map, heart beat, high light, host name,
  hot key, hot reload, in line, keep alive, key board, key word, key store, key pair, life cycle, life time, line break,
  load balancer, local host, lock file, log in, log out, look ahead, look behind, look up, loop back, mark down, meta data,
  middle ware, mime type, multi part, multi thread, name space, net work, new line, note book, on load, out put, over flow,
  over lap, over load, over ride, over write, pass word, path name, pay load, ping pong, pipe line, place holder, plug in,
  pop up, post fix, pre fetch, pre load, proto type, query string, rate limit, read line, read me, read only, real path,
  real time, road map, roll back, roll out, round trip, run loop, run time, sand box, save point, screen shot, scroll bar,
  semi colon, set up, shut down, side bar, sign in, sign out, sign up, snap shot, source map, spin lock, stack trace,
  stand alone, start up, state less, status bar, status code, stop watch, sub class, sub command, sub directory, sub domain,
  sub path, sub process, sub set, sub string, sub tree, super class, sym link, tear down, text area, thread pool, time line,
  time out, time span, time stamp, time zone, tool bar, tool chain, tool kit, tool tip, top level, trace back, trade off,
  up date, up grade, up load, up stream, up time, user agent, user name, view port, wait group, walk through, warm up,
  watch dog, water mark, web hook, web page, web server, web site, web socket, white space, wild card, work around,
  work bench, work flow, work load, work place, work space, work tree, zip file
`;

const seconds = new Map<string, Set<string>>();
for (const pair of COMPOUNDS.split(',')) {
  const [first = '', second = ''] = pair.trim().split(' ');
  const known = seconds.get(first) ?? new Set();
  known.add(second);
  seconds.set(first, known);
}

/** Tells whether two words in lower case, one after the other, are as often written as one. */
export function isCompound(first: string, second: string): boolean {
  return seconds.get(first)?.has(second) ?? false;
}
