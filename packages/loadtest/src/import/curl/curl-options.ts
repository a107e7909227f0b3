// https://curl.se/docs/manpage.html

/** Long names of the options that are written with one letter. */
export const longNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    X: 'request',
    H: 'header',
    d: 'data',
    F: 'form',
    u: 'user',
    b: 'cookie',
    c: 'cookie-jar',
    A: 'user-agent',
    e: 'referer',
    k: 'insecure',
    L: 'location',
    G: 'get',
    I: 'head',
    m: 'max-time',
    T: 'upload-file',
    x: 'proxy',
    U: 'proxy-user',
    o: 'output',
    O: 'remote-name',
    D: 'dump-header',
    w: 'write-out',
    E: 'cert',
    K: 'config',
    r: 'range',
    C: 'continue-at',
    y: 'speed-time',
    Y: 'speed-limit',
    z: 'time-cond',
    Q: 'quote',
    P: 'ftp-port',
    t: 'telnet-option',
    s: 'silent',
    S: 'show-error',
    v: 'verbose',
    i: 'include',
    f: 'fail',
    g: 'globoff',
    N: 'no-buffer',
    n: 'netrc',
    p: 'proxytunnel',
    q: 'disable',
    R: 'remote-time',
    a: 'append',
    B: 'use-ascii',
    J: 'remote-header-name',
    j: 'junk-session-cookies',
    l: 'list-only',
    M: 'manual',
    Z: 'parallel',
    V: 'version',
    h: 'help',
    0: 'http1.0',
    1: 'tlsv1',
    2: 'sslv2',
    3: 'sslv3',
    4: 'ipv4',
    6: 'ipv6',
    '#': 'progress-bar',
    ':': 'next',
  }),
)

/** Options that are followed by a value. */
export const optionsWithValue: ReadonlySet<string> = new Set(
  `request header data data-raw data-binary data-ascii data-urlencode json form form-string user cookie user-agent
  referer url max-time connect-timeout max-redirs oauth2-bearer url-query upload-file cookie-jar proxy proxy-user
  output dump-header write-out cert key cacert capath config range continue-at speed-time speed-limit time-cond quote
  retry retry-delay retry-max-time limit-rate resolve connect-to interface dns-servers ciphers tls13-ciphers tls-max
  cert-type key-type pass pinnedpubkey proto proto-default request-target max-filesize keepalive-time aws-sigv4
  noproxy preproxy socks4 socks4a socks5 socks5-hostname local-port output-dir parallel-max rate stderr trace
  trace-ascii unix-socket abstract-unix-socket hsts alt-svc etag-save etag-compare doh-url netrc-file service-name
  delegation happy-eyeballs-timeout-ms expect100-timeout create-file-mode crlfile curves dns-interface
  dns-ipv4-addr dns-ipv6-addr engine ftp-port ftp-account ftp-method krb libcurl login-options mail-from mail-rcpt
  mail-auth proxy-header proxy-cert proxy-key proxy-cacert proxy-pass proxy1.0 pubkey hostpubmd5 hostpubsha256
  random-file egd-file sasl-authzid socks5-gssapi-service telnet-option tftp-blksize tlsuser tlspassword tlsauthtype
  trace-config variable ech haproxy-clientip ip-tos vlan-priority keepalive-cnt`.split(/\s+/),
)

/** Options that only say how curl itself behaves, and nothing of the request. */
export const optionsOfCurl: ReadonlySet<string> = new Set(
  `compressed silent show-error verbose include output remote-name remote-name-all remote-header-name dump-header
  write-out progress-bar no-progress-meter no-buffer fail fail-with-body fail-early globoff location-trusted trace
  trace-ascii trace-time trace-ids stderr output-dir create-dirs parallel parallel-immediate parallel-max styled-output
  no-styled-output tcp-nodelay keepalive-time no-keepalive post301 post302 post303 cookie-jar junk-session-cookies
  disable remote-time xattr create-file-mode libcurl manual path-as-is no-sessionid no-alpn no-npn http0.9`.split(
    /\s+/,
  ),
)
