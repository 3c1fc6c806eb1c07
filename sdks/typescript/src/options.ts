import type { MessageLanguage } from './codes.ts'
import { invalidOption, Messages, type MessageSource, type SignetError } from './errors.ts'
import { isLoopback, readNetwork } from './network-options.ts'
import { nodeFetch } from './node-transport.ts'
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
  /**
   * Called once, with the error, when the server ends the session. What this or another callback throws, or rejects with,
   * is written with `console.error` and ends nothing.
   */
  onLost?: (error: SignetError) => void
  /** Called when `isValid()` turns false because the server wasn't heard. */
  onInterrupted?: (error: SignetError) => void
  /** Called when it is heard again. */
  onResumed?: () => void
  /**
   * `auto` for the ordinary certificate checks. Otherwise hex SHA-256 of the server's TLS certificate, colons allowed,
   * several as a list or separated by commas, checked in addition. Node only. `auto`.
   */
  sslFingerprint?: string | readonly string[] | undefined
  /** PEM text, or the path of a PEM file: the certificate authorities to trust instead of Node's. Node only. */
  ca?: string | undefined
  /**
   * `auto` for `HTTPS_PROXY` and `NO_PROXY` of the environment, a URL such as
   * `http://name:password@proxy.example.com:3128`, or null for none. Node only. `auto`.
   */
  proxy?: string | null | undefined
  /** Instead of the global `fetch`. It excludes `sslFingerprint`, `ca`, and `proxy`. */
  fetch?: Fetch | undefined
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
    throw invalidOption('ownerId is 10 letters and digits.')
  }
  if (typeof version !== 'string' || version === '') throw invalidOption("version is the program's version, as text.")
  const interval = heartbeatSeconds === undefined ? 60 : (heartbeatSeconds ?? 0)
  checkSeconds({ timeoutSeconds, graceSeconds, ...(interval !== 0 && { heartbeatSeconds: interval }) })
  checkSource('hwid', options.hwid, /^[^]+$/)
  checkSource('programHash', options.programHash, /^[0-9a-fA-F]{64}$/)
  const sealingKey = keyBytes('sealingKey', 'x25519', options.sealingKey)
  const serverUrl = originOf(options.serverUrl, options.allowHttp ?? false)
  return {
    app: headerOf(ownerId, appName),
    version,
    serverUrl,
    verificationKey: keyBytes('verificationKey', 'ed25519', options.verificationKey),
    sealTo: options.sealRequests ? sealingKey : undefined,
    hwid: options.hwid,
    programHash: options.programHash,
    heartbeatSeconds: interval,
    graceSeconds,
    timeoutSeconds,
    messages: new Messages(languageOf(options.language ?? 'en'), options.messages),
    fetch: fetchOf(options, serverUrl),
    clock: options.clock ?? Date.now,
    wait: options.wait ?? waitInBackground,
  }
}

function fetchOf(options: ClientOptions, serverUrl: string): Fetch {
  const network = readNetwork(options, new URL(serverUrl))
  if (network) return nodeFetch(network)
  return options.fetch ?? ((url, init) => fetch(url, init))
}

function keyBytes(name: string, curve: 'ed25519' | 'x25519', text: string): Bytes {
  try {
    return publicKeyBytes(curve, text)
  } catch (cause) {
    throw invalidOption(`${name} is damaged: ${(cause as Error).message}`, cause)
  }
}

/** `X-Signet-App`. */
export function headerOf(ownerId: string, appName: string): string {
  try {
    if (typeof appName === 'string' && appName !== '') return appHeader(ownerId, appName)
  } catch (cause) {
    throw invalidOption("appName is the app's name, as text.", cause)
  }
  throw invalidOption("appName is the app's name, as text.")
}

function originOf(serverUrl: string, allowHttp: boolean): string {
  const isPlain = typeof serverUrl === 'string' && /^https?:\/\/[^\s\\/?#@]+\/?$/i.test(serverUrl)
  const url = isPlain && URL.canParse(serverUrl) ? new URL(serverUrl) : undefined
  if (!url || url.href !== `${url.origin}/` || url.port === '0') {
    throw invalidOption('serverUrl is like https://signet.example.com, without a path.')
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw invalidOption('serverUrl starts with https://; http:// to another computer needs allowHttp: true.')
  }
  return url.origin
}

function checkSeconds(named: Record<string, number>): void {
  for (const [name, seconds] of Object.entries(named)) {
    const isSeconds = typeof seconds === 'number' && seconds > 0 && seconds <= 86_400
    if (!isSeconds) throw invalidOption(`${name} is a number of seconds above 0, at most a day.`)
  }
}

function checkSource(name: string, source: Source | undefined, pattern: RegExp): void {
  if (source === undefined || typeof source === 'function') return
  if (typeof source !== 'string' || !pattern.test(source))
    throw invalidOption(`${name} is text, or a function that finds it.`)
}

/** `pt` of `pt-BR`. */
function languageOf(language: string): MessageLanguage {
  const short = typeof language === 'string' ? language.split(/[-_]/)[0]?.toLowerCase() : undefined
  if (short === 'en' || short === 'pt' || short === 'es') return short
  throw invalidOption('language is en, pt, or es.')
}
