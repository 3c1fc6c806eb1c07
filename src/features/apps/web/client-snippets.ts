/** A token of code and its kind. The copied text and the displayed code use the same tokens, so they cannot differ. */
export interface CodeToken {
  text: string
  kind?: 'keyword' | 'string'
  /** Displayed truncated, copied completely. */
  long?: boolean
}

export type CodeLine = readonly CodeToken[]

export interface ProgramSettings {
  ownerId: string
  appName: string
  version: string
  hashCheck: boolean
  hashToCheck: string
  serverUrl: string
  /** SHA-256 of the server's certificate in hexadecimal, or `auto`. */
  sslFingerprint: string
  clientObfuscationKey: string
  serverObfuscationKey: string
}

export const snippetText = (lines: readonly CodeLine[]): string =>
  lines.map((line) => line.map(({ text }) => text).join('')).join('\n')

const plain = (text: string): CodeToken => ({ text })
const keyword = (text: string): CodeToken => ({ text, kind: 'keyword' })
// A JSON string is also a Python string.
const quoted = (text: string): CodeToken => ({ text: JSON.stringify(text), kind: 'string', long: text.length > 40 })

/**
 * The constructor of `signet_client` and a first call; the customer sees success or the reason for the rejection as
 * plain text.
 */
export function pythonSnippet(settings: ProgramSettings): CodeLine[] {
  const argument = (name: string, value: CodeToken): CodeLine => [plain(`    ${name}=`), value, plain(',')]
  return [
    [keyword('from'), plain(' signet_client '), keyword('import'), plain(' Client, SignetError')],
    [],
    [plain('signet = Client(')],
    argument('owner_id', quoted(settings.ownerId)),
    argument('app_name', quoted(settings.appName)),
    argument('version', quoted(settings.version)),
    argument('hash_check', keyword(settings.hashCheck ? 'True' : 'False')),
    argument('server_url', quoted(settings.serverUrl)),
    argument('ssl_fingerprint', quoted(settings.sslFingerprint)),
    argument('client_obfuscation_key', quoted(settings.clientObfuscationKey)),
    argument('server_obfuscation_key', quoted(settings.serverObfuscationKey)),
    [plain(')')],
    [keyword('try'), plain(':')],
    [plain('    session = signet.license(input('), quoted('Key: '), plain('))')],
    [keyword('except'), plain(' SignetError '), keyword('as'), plain(' error:')],
    [keyword('    raise'), plain(' SystemExit(error.message)')],
    [plain('ends = session.subscriptions[0].expires_at')],
    [
      plain('print('),
      { text: `f"Welcome, your license runs until {ends:%Y-%m-%d %H:%M} UTC."`, kind: 'string' },
      keyword(' if'),
      plain(' ends '),
      keyword('else'),
      plain(' '),
      { text: `"Welcome, your license never ends."`, kind: 'string' },
      plain(')'),
    ],
  ]
}

/**
 * Starts a session as a program does (docs/protocol.md, init). For inspecting the protocol: curl verifies no signature.
 */
export function curlSnippet(settings: ProgramSettings): CodeLine[] {
  const { ownerId, appName, version, hashCheck, hashToCheck, serverUrl } = settings
  const sent = JSON.stringify({ version, ...(hashCheck && { hash: hashToCheck }) })
  // A quote would end the string in the shell.
  const body = sent.replaceAll("'", "'\\''")
  const header = (text: string, quote = "'"): CodeLine => [
    plain('  -H '),
    { text: `${quote}${text}${quote}`, kind: 'string' },
    plain(' \\'),
  ]
  return [
    [plain(`curl -i ${serverUrl}/api/1.0/client/init \\`)],
    header('Content-Type: application/json'),
    header(`X-Signet-App: ${ownerId}/${encodeURIComponent(appName)}`),
    header('X-Signet-Nonce: $(openssl rand -hex 16)', '"'),
    header('X-Signet-Time: $(date +%s)000', '"'),
    [plain('  -d '), { text: `'${body}'`, kind: 'string' }],
  ]
}
