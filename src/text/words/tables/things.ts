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
