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
