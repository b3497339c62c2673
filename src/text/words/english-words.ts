/** The acts of programs, a group of words with one meaning a line. */
export const ACTIONS = `
  abort cancel interrupt
  abort stop halt
  stop halt quit cease
  accept allow permit
  acknowledge ack confirm
  acquire obtain get
  add append push insert
  adjust tune
  aggregate sum total
  allocate alloc reserve
  alter change modify mutate
  assert expect
  attach bind connect
  attempt try retry again
  begin start launch
  bundle pack
  cache memoize
  calculate compute calc
  capture catch
  change modify update
  check verify validate ensure assert
  choose select pick
  clean cleanup purge sweep
  clear empty reset
  close shut shutdown dispose destroy teardown
  close end
  combine merge join concat
  compare equal equals cmp
  compress deflate gzip zip
  connect connection
  connect dial
  contain include has
  convert transform translate
  convert coerce cast
  copy clone duplicate
  crash panic fatal
  create make build new
  create generate
  debounce throttle
  decode parse read
  decompress inflate unzip gunzip
  decrease decrement dec reduce
  delay postpone defer
  delete remove drop unlink
  detect recognize discover
  determine decide resolve
  disable off
  discard drop ignore skip
  disconnect hangup
  download fetch
  duplicate dedupe unique
  enable on
  encode serialize stringify dump marshal
  encrypt cipher
  enqueue push
  escape quote
  evaluate eval
  evict expire
  exceed over limit
  exclude ignore omit
  execute run exec
  exist exists present
  exit quit terminate
  expand grow
  expire expiry ttl stale
  export expose
  extract unpack
  fail failure
  fetch load get
  filter exclude
  find search lookup locate
  finish end complete done
  flush drain sync
  format fmt
  forward proxy relay
  free release
  freeze lock
  generate gen
  ignore skip
  import require load
  increase increment inc
  inherit extend
  initialize init setup
  inject provide
  invoke call
  iterate loop walk traverse
  kill terminate
  leave exit
  listen subscribe on
  load read
  mock stub fake
  monitor watch observe
  notify emit signal
  override overwrite
  parse decode
  pause suspend
  print output display
  publish emit
  purge evict
  receive recv
  redact mask hide
  register add
  reject refuse deny
  reload refresh
  remove strip
  rename move
  repeat again
  replace substitute
  resolve lookup
  restart reload
  restore recover resume
  retry attempt again
  return yield
  reverse invert
  revert undo rollback
  round floor
  sanitize escape clean
  save write store persist
  schedule enqueue plan
  search find query lookup
  send post emit dispatch
  shrink compact
  shuffle random
  shutdown exit
  sort order
  split divide chunk
  supervise monitor
  surround wrap
  throttle limit
  throw raise error
  trim strip truncate
  truncate cut shorten
  unlock release
  unsubscribe off
  update refresh
  upload send
  validate check verify
  visit traverse
  wait sleep delay pause
  wait block
  watch observe
`;

/** The things that programs consist of and work on, a group of words with one meaning a line. */
export const THINGS = `
  address addr
  alias nickname
  allowlist whitelist
  application app
  argument arg parameter param
  array list
  attribute attr property prop
  authenticate authentication auth login
  authorize authorization permission
  average mean avg
  backoff delay
  blocklist blacklist denylist
  boolean bool flag
  bound limit range clamp
  boundary edge border
  branch fork
  buffer buf
  callback cb handler
  capacity size limit
  certificate cert
  channel pipe
  character char
  child subprocess
  collision conflict clash
  column col
  command cmd
  condition cond
  config configuration settings setting preferences
  constant const
  context ctx
  count number num total
  credential credentials secret
  database db
  date time
  default fallback
  delimiter separator sep
  description desc
  destination dest target
  development dev
  dictionary dict map
  difference diff
  directory dir folder
  document doc
  duration elapsed interval
  element item entry
  environment env
  error err exception failure
  expression regex regexp pattern
  extension ext suffix
  field column
  frequency rate
  function fn func
  garbage gc
  handler listener
  hash digest checksum
  header headers
  host hostname
  identifier id
  image img
  implementation impl
  index idx
  information info
  input stdin
  instance inst
  integer int
  iterator iter
  javascript js
  keepalive heartbeat ping
  language lang
  latency delay
  length len size
  level depth
  library lib
  limit max maximum cap most
  limit quota
  line row
  link symlink
  listener subscriber observer
  location position place
  lock mutex
  log logger
  memory mem heap
  message msg
  module mod
  null nil none undefined
  number num
  object obj
  option flag
  option opt options
  order sequence
  output stdout
  package pkg
  parent owner
  password pwd
  percent ratio
  permission access
  pointer ptr
  position pos
  prefix head
  priority weight
  process proc
  product production prod
  promise future
  queue backlog
  range interval
  repository repo
  request req
  response res
  response reply answer
  route path
  sample example
  schema shape
  segment chunk part
  server host
  session conversation
  socket conn connection
  source src origin
  specification spec
  stack trace
  state status
  statistics stats
  string str text
  structure struct
  template tmpl
  thread worker
  threshold limit
  timeout deadline expire
  timer timeout interval
  token tok
  trailing suffix end
  transaction tx
  typescript ts
  utility util helper
  value val
  variable var
  version ver
  warning warn
  width size
  window frame
  wrap wrapper
`;

/** The qualities of things, a group of words with one meaning a line. */
export const QUALITIES = `
  ascending asc
  asynchronous async
  automatic auto
  broken corrupt malformed invalid
  concurrent parallel simultaneous
  current cur now
  deferred lazy later
  denied forbidden
  deprecated obsolete legacy
  descending desc
  empty blank
  exclusive only
  greater larger more
  hidden private
  idle inactive
  immediate now instantly
  infinite endless forever
  large big huge
  leak leaked
  left remaining rest
  maximum max
  minimum min least
  missing absent
  missing none null empty nil
  multiple many several
  negative minus
  nested inner
  once single
  original orig
  pending waiting
  previous prev
  private internal
  random rand
  raw verbatim
  recent latest last
  recursion recursive
  regular normal
  secure safe
  sensitive secret
  sequential serial
  shared common
  standard std
  synchronous sync
  temporary temp tmp
  uncaught unhandled
  unique distinct
  unknown unrecognized unsupported
  valid legal
`;
