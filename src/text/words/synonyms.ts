import { meaningsOf } from './thesaurus.ts';

// Words that programmers use interchangeably, whichever of them a code base happens to have chosen.
const GROUPS = `
  abort cancel interrupt
  abort stop halt
  stop halt quit cease
  accept allow permit
  acknowledge ack confirm
  acquire obtain get
  add append push insert
  address addr
  adjust tune
  aggregate sum total
  alias nickname
  allocate alloc reserve
  allowlist whitelist
  alter change modify mutate
  application app
  argument arg parameter param
  array list
  ascending asc
  assert expect
  asynchronous async
  attach bind connect
  attempt try retry again
  attribute attr property prop
  authenticate authentication auth login
  authorize authorization permission
  automatic auto
  average mean avg
  backoff delay
  begin start launch
  blocklist blacklist denylist
  boolean bool flag
  bound limit range clamp
  boundary edge border
  branch fork
  broken corrupt malformed invalid
  buffer buf
  bundle pack
  cache memoize
  calculate compute calc
  callback cb handler
  capacity size limit
  capture catch
  certificate cert
  change modify update
  channel pipe
  character char
  check verify validate ensure assert
  child subprocess
  choose select pick
  clean cleanup purge sweep
  clear empty reset
  close shut shutdown dispose destroy teardown
  close end
  collision conflict clash
  column col
  combine merge join concat
  command cmd
  compare equal equals cmp
  compress deflate gzip zip
  concurrent parallel simultaneous
  condition cond
  config configuration settings setting preferences
  connect connection
  connect dial
  constant const
  contain include has
  context ctx
  convert transform translate
  convert coerce cast
  copy clone duplicate
  count number num total
  crash panic fatal
  create make build new
  create generate
  credential credentials secret
  current cur now
  database db
  date time
  debounce throttle
  decode parse read
  decompress inflate unzip gunzip
  decrease decrement dec reduce
  default fallback
  deferred lazy later
  delay postpone defer
  delete remove drop unlink
  delimiter separator sep
  denied forbidden
  deprecated obsolete legacy
  descending desc
  description desc
  destination dest target
  detect recognize discover
  determine decide resolve
  development dev
  dictionary dict map
  difference diff
  directory dir folder
  disable off
  discard drop ignore skip
  disconnect hangup
  document doc
  download fetch
  duplicate dedupe unique
  duration elapsed interval
  element item entry
  empty blank
  enable on
  encode serialize stringify dump marshal
  encrypt cipher
  enqueue push
  environment env
  error err exception failure
  escape quote
  evaluate eval
  evict expire
  exceed over limit
  exclude ignore omit
  exclusive only
  execute run exec
  exist exists present
  exit quit terminate
  expand grow
  expire expiry ttl stale
  export expose
  expression regex regexp pattern
  extension ext suffix
  extract unpack
  fail failure
  fetch load get
  field column
  filter exclude
  find search lookup locate
  finish end complete done
  flush drain sync
  format fmt
  forward proxy relay
  free release
  freeze lock
  frequency rate
  function fn func
  garbage gc
  generate gen
  greater larger more
  handler listener
  hash digest checksum
  header headers
  hidden private
  host hostname
  identifier id
  idle inactive
  ignore skip
  image img
  immediate now instantly
  implementation impl
  import require load
  increase increment inc
  index idx
  infinite endless forever
  information info
  inherit extend
  initialize init setup
  inject provide
  input stdin
  instance inst
  integer int
  invoke call
  iterate loop walk traverse
  iterator iter
  javascript js
  keepalive heartbeat ping
  kill terminate
  language lang
  large big huge
  latency delay
  leak leaked
  leave exit
  left remaining rest
  length len size
  level depth
  library lib
  limit max maximum cap most
  limit quota
  line row
  link symlink
  listen subscribe on
  listener subscriber observer
  load read
  location position place
  lock mutex
  log logger
  maximum max
  memory mem heap
  message msg
  minimum min least
  missing absent
  missing none null empty nil
  mock stub fake
  module mod
  monitor watch observe
  multiple many several
  negative minus
  nested inner
  notify emit signal
  null nil none undefined
  number num
  object obj
  once single
  option flag
  option opt options
  order sequence
  original orig
  output stdout
  override overwrite
  package pkg
  parent owner
  parse decode
  password pwd
  pause suspend
  pending waiting
  percent ratio
  permission access
  pointer ptr
  position pos
  prefix head
  previous prev
  print output display
  priority weight
  private internal
  process proc
  product production prod
  promise future
  publish emit
  purge evict
  queue backlog
  random rand
  range interval
  raw verbatim
  receive recv
  recent latest last
  recursion recursive
  redact mask hide
  register add
  regular normal
  reject refuse deny
  reload refresh
  remove strip
  rename move
  repeat again
  replace substitute
  repository repo
  request req
  resolve lookup
  response res
  response reply answer
  restart reload
  restore recover resume
  retry attempt again
  return yield
  reverse invert
  revert undo rollback
  round floor
  route path
  sample example
  sanitize escape clean
  save write store persist
  schedule enqueue plan
  schema shape
  search find query lookup
  secure safe
  segment chunk part
  send post emit dispatch
  sensitive secret
  sequential serial
  server host
  session conversation
  shared common
  shrink compact
  shuffle random
  shutdown exit
  socket conn connection
  sort order
  source src origin
  specification spec
  split divide chunk
  stack trace
  standard std
  state status
  statistics stats
  string str text
  structure struct
  supervise monitor
  surround wrap
  synchronous sync
  template tmpl
  temporary temp tmp
  thread worker
  threshold limit
  throttle limit
  throw raise error
  timeout deadline expire
  timer timeout interval
  token tok
  trailing suffix end
  transaction tx
  trim strip truncate
  truncate cut shorten
  typescript ts
  uncaught unhandled
  unique distinct
  unknown unrecognized unsupported
  unlock release
  unsubscribe off
  update refresh
  upload send
  utility util helper
  valid legal
  validate check verify
  value val
  variable var
  version ver
  visit traverse
  wait sleep delay pause
  wait block
  warning warn
  watch observe
  width size
  window frame
  wrap wrapper
`;

const groups = new Map<string, Set<string>>();
for (const line of GROUPS.trim().split('\n')) {
  const words = line.trim().split(' ');
  for (const word of words) {
    const others = groups.get(word) ?? new Set();
    for (const other of words) if (other !== word) others.add(other);
    groups.set(word, others);
  }
}

/** What else a word in lower case may be called in code. */
export function synonymsOf(word: string): readonly string[] {
  return [...(groups.get(word) ?? []), ...meaningsOf(word)];
}
