import type { MessageLanguage } from './codes.ts'
import { Messages, type MessageSource, SignetError } from './errors.ts'
import { publicKeyBytes } from './public-keys.ts'
import { type Wait, waitInBackground } from './wait.ts'
import { appHeader, type Bytes } from './wire.ts'

/** A value, or a function that finds it when it is needed. */
export type Source = string | (() => string | Promise<string>)
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ClientOptions {
  /** 10 letters and digits. */
  ownerId: string
  appName: string
  version: string
  /** Scheme, host and port, such as `https://signet.example.com`. */
  serverUrl: string
  /** The app's Ed25519 public key: verifies what comes from the server. */
  verificationKey: string
  /** The app's X25519 public key: encrypts what goes to it, with `sealRequests`. */
  sealingKey: string
  /** Names this machine; `hardwareId` of `@signet/client/node` finds it. Apps with a HWID lock need it. */
  hwid?: Source | undefined
  /** Hex SHA-256 of the program file, for apps with a hash check; `programHash` of `@signet/client/node`. */
  programHash?: Source | undefined
  /** Encrypts request bodies for the app, so that TLS-inspecting proxies can't read them. */
  sealRequests?: boolean
  /** Between heartbeats in the background; null or 0 for none. 60. */
  heartbeatSeconds?: number | null
  /** Beyond the interval, how long the server can be unreachable before `isValid()` turns false. 180. */
  graceSeconds?: number
  /** What any call takes at most; for `download`, of silence. 15. */
  timeoutSeconds?: number
  /** Allows http:// to other computers, which anybody on the way can read. */
  allowHttp?: boolean
  /** Of `SignetError.customerMessage`. English. */
  language?: MessageLanguage
  /** Your own sentences for customers. */
  messages?: MessageSource
  /** Called once, with the error, when the server ends the session. */
  onLost?: (error: SignetError) => void
  /** Called when `isValid()` turns false because the server wasn't heard. */
  onInterrupted?: (error: SignetError) => void
  /** Called when it is heard again. */
  onResumed?: () => void
  /** Instead of the global `fetch`: for a proxy, or a certificate authority of your own. */
  fetch?: Fetch
  /** Unix milliseconds, instead of `Date.now`. */
  clock?: () => number
  /** Instead of timers between heartbeats. */
  wait?: Wait
}

/** The options, checked. */
export interface Settings {
  /** `X-Signet-App`. */
  app: string
  version: string
  serverUrl: string
  verificationKey: Bytes
  /** Set if bodies are sealed. */
  sealTo: Bytes | undefined
  hwid: Source | undefined
  programHash: Source | undefined
  /** 0 for no heartbeat in the background. */
  heartbeatSeconds: number
  graceSeconds: number
  timeoutSeconds: number
  messages: Messages
  fetch: Fetch
  clock: () => number
  wait: Wait
}

/** @throws {SignetError} `INVALID_CONFIGURATION` for anything that can't work */
export function readOptions(options: ClientOptions): Settings {
  const { ownerId, appName, version, heartbeatSeconds, graceSeconds = 180, timeoutSeconds = 15 } = options
  if (typeof ownerId !== 'string' || !/^[A-Za-z0-9]{10}$/.test(ownerId)) {
    throw invalid('ownerId is 10 letters and digits.')
  }
  if (typeof version !== 'string' || version === '') throw invalid("version is the program's version, as text.")
  const interval = heartbeatSeconds === undefined ? 60 : (heartbeatSeconds ?? 0)
  checkSeconds({ timeoutSeconds, graceSeconds, ...(interval !== 0 && { heartbeatSeconds: interval }) })
  checkSource('hwid', options.hwid, /^[^]+$/)
  checkSource('programHash', options.programHash, /^[0-9a-fA-F]{64}$/)
  const sealingKey = keyBytes('sealingKey', 'x25519', options.sealingKey)
  return {
    app: headerOf(ownerId, appName),
    version,
    serverUrl: originOf(options.serverUrl, options.allowHttp ?? false),
    verificationKey: keyBytes('verificationKey', 'ed25519', options.verificationKey),
    sealTo: options.sealRequests ? sealingKey : undefined,
    hwid: options.hwid,
    programHash: options.programHash,
    heartbeatSeconds: interval,
    graceSeconds,
    timeoutSeconds,
    messages: new Messages(languageOf(options.language ?? 'en'), options.messages),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    clock: options.clock ?? Date.now,
    wait: options.wait ?? waitInBackground,
  }
}

const invalid = (message: string, cause?: unknown) => new SignetError('INVALID_CONFIGURATION', message, { cause })

function keyBytes(name: string, curve: 'ed25519' | 'x25519', text: string): Bytes {
  try {
    return publicKeyBytes(curve, text)
  } catch (cause) {
    throw invalid(`${name} is damaged: ${(cause as Error).message}`, cause)
  }
}

/** `X-Signet-App`. */
export function headerOf(ownerId: string, appName: string): string {
  try {
    if (typeof appName === 'string' && appName !== '') return appHeader(ownerId, appName)
  } catch (cause) {
    throw invalid("appName is the app's name, as text.", cause)
  }
  throw invalid("appName is the app's name, as text.")
}

function originOf(serverUrl: string, allowHttp: boolean): string {
  const isPlain = typeof serverUrl === 'string' && /^https?:\/\/[^\s\\/?#@]+\/?$/i.test(serverUrl)
  const url = isPlain && URL.canParse(serverUrl) ? new URL(serverUrl) : undefined
  if (!url || url.href !== `${url.origin}/` || url.port === '0') {
    throw invalid('serverUrl is like https://signet.example.com, without a path.')
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw invalid('serverUrl starts with https://; http:// to another computer needs allowHttp: true.')
  }
  return url.origin
}

/** Whether a host is this computer by its name. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

function checkSeconds(named: Record<string, number>): void {
  for (const [name, seconds] of Object.entries(named)) {
    const isSeconds = typeof seconds === 'number' && seconds > 0 && seconds <= 86_400
    if (!isSeconds) throw invalid(`${name} is a number of seconds above 0, at most a day.`)
  }
}

function checkSource(name: string, source: Source | undefined, pattern: RegExp): void {
  if (source === undefined || typeof source === 'function') return
  if (typeof source !== 'string' || !pattern.test(source))
    throw invalid(`${name} is text, or a function that finds it.`)
}

/** `pt` of `pt-BR`. */
function languageOf(language: string): MessageLanguage {
  const short = typeof language === 'string' ? language.split(/[-_]/)[0]?.toLowerCase() : undefined
  if (short === 'en' || short === 'pt' || short === 'es') return short
  throw invalid('language is en, pt, or es.')
}
