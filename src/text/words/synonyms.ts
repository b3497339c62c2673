// Words that programmers use interchangeably, whichever of them a code base happens to have chosen.
const GROUPS = `
  abort cancel interrupt
  argument arg parameter param
  authenticate authentication auth login
  authorize authorization permission
  begin start launch
  cache memoize
  callback cb handler
  child subprocess
  command cmd
  config configuration settings setting preferences
  connect connection
  create make build new
  database db
  delete remove drop unlink
  dependency dep
  difference diff
  directory dir folder
  document doc
  download fetch
  environment env
  error err exception failure
  execute run exec
  exit quit terminate
  expression regex regexp pattern
  finish end complete done
  identifier id
  initialize init setup
  information info
  inherit extend
  kill terminate
  log logging logger
  maximum max
  message msg
  minimum min
  object obj
  option flag
  package pkg
  previous prev
  print output display
  process proc
  reject refuse deny
  repository repo
  request req
  response res
  save write store persist
  search find query lookup
  send post emit dispatch
  sequential serial
  specification spec
  string str text
  synchronous sync
  temporary temp tmp
  uncaught unhandled
  update refresh
  validate check verify
  value val
  wait sleep delay
`;

const groups = new Map<string, string[]>();
for (const line of GROUPS.trim().split('\n')) {
  const words = line.trim().split(' ');
  for (const word of words) groups.set(word, [...(groups.get(word) ?? []), ...words.filter((other) => other !== word)]);
}

/** What else a word in lower case may be called in code. */
export function synonymsOf(word: string): readonly string[] {
  return groups.get(word) ?? [];
}
