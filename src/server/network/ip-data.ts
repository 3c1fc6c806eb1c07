import { readFileSync, statSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { type CountryResponse, Reader } from 'mmdb-lib'

/** Files with IP data; each is optional. */
export interface IpDataFiles {
  /** MaxMind DB format, such as GeoLite2-Country and DB-IP Lite. */
  countryFile: string
  /** Networks in CIDR notation, one per line. */
  vpnFile: string
  /** Those that a setting names, and that should therefore exist. */
  named?: readonly ('country' | 'vpn')[] | undefined
}

/** Whether a file with IP data exists, and whether its data is outdated. */
export type IpFileState = 'absent' | 'present' | 'outdated'

export interface IpDataStatus {
  country: IpFileState
  vpn: IpFileState
  /** Date of the data in epoch seconds; null without a file. */
  countryFrom: number | null
  vpnFrom: number | null
}

interface IpDataOptions {
  /** Epoch milliseconds. */
  clock: () => number
  /** Called when a file exists but cannot be read. */
  onError: (error: unknown) => void
}

/** Networks are reassigned, so data of the previous quarter is wrong too often (providers publish monthly). */
const maxAgeSeconds = 90 * 86_400
/** Interval at which a file is checked for changes, in milliseconds. */
const lookMs = 10_000

/** Countries and VPN networks of IP addresses, from files that the operator provides and replaces. */
export class IpData {
  readonly #clock: () => number
  readonly #country: WatchedFile<Countries>
  readonly #vpn: WatchedFile<Networks>

  constructor({ countryFile, vpnFile }: IpDataFiles, { clock, onError }: IpDataOptions) {
    this.#clock = clock
    this.#country = new WatchedFile(countryFile, readCountries, onError)
    this.#vpn = new WatchedFile(vpnFile, readNetworks, onError)
  }

  /** ISO 3166-1 alpha-2; empty if unknown. */
  countryOf(ip: string): string {
    const found = this.#country.data(this.#clock())?.reader.get(plainAddress(ip))
    return found?.country?.iso_code ?? found?.registered_country?.iso_code ?? ''
  }

  /** Undefined without data. */
  isVpn(ip: string): boolean | undefined {
    return this.#vpn.data(this.#clock())?.has(ip)
  }

  status(): IpDataStatus {
    const now = this.#clock()
    const countryFrom = this.#country.data(now)?.from ?? null
    const vpnFrom = this.#vpn.data(now)?.from ?? null
    const state = (from: number | null): IpFileState =>
      from === null ? 'absent' : now / 1000 - from > maxAgeSeconds ? 'outdated' : 'present'
    return { country: state(countryFrom), vpn: state(vpnFrom), countryFrom, vpnFrom }
  }
}

/** A file that is read on first use, again after it changes, and again while it can't be read. */
class WatchedFile<T> {
  readonly #path: string
  readonly #read: (bytes: Buffer, changedAt: number) => T
  readonly #onError: (error: unknown) => void
  #data: T | undefined
  /** State of the file when it was last read. */
  #version = ''
  #lookedAt = -Infinity
  /** What was last reported, so that it is reported once. */
  #problem = ''

  constructor(path: string, read: (bytes: Buffer, changedAt: number) => T, onError: (error: unknown) => void) {
    this.#path = path
    this.#read = read
    this.#onError = onError
  }

  /** The parsed content; undefined if there is no file. `now` in epoch milliseconds. */
  data(now: number): T | undefined {
    if (Math.abs(now - this.#lookedAt) < lookMs) return this.#data
    this.#lookedAt = now
    try {
      const found = statSync(this.#path, { throwIfNoEntry: false })
      const version = found ? `${found.ino} ${found.mtimeMs} ${found.size}` : ''
      if (version !== this.#version) this.#data = this.#readVersion(version, found?.mtimeMs)
      this.#problem = ''
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#problem) this.#onError(error)
      this.#problem = message
    }
    return this.#data
  }

  #readVersion(version: string, changedMs: number | undefined): T | undefined {
    // Broken content is read once. A file that can't be opened, such as one with wrong permissions, is tried again.
    const bytes = changedMs === undefined ? undefined : readFileSync(this.#path)
    this.#version = version
    return bytes && this.#read(bytes, Math.floor((changedMs ?? 0) / 1000))
  }
}

interface Countries {
  reader: Reader<CountryResponse>
  /** Epoch seconds. */
  from: number
}

function readCountries(bytes: Buffer): Countries {
  const reader = new Reader<CountryResponse>(bytes)
  return { reader, from: Math.floor(reader.metadata.buildEpoch.getTime() / 1000) }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Networks by prefix length: an address is looked up once per prefix length. */
class Networks {
  /** Epoch seconds. */
  readonly from: number
  readonly #byLength = { ipv4: new Map<number, Set<string>>(), ipv6: new Map<number, Set<string>>() }

  constructor(from: number) {
    this.from = from
  }

  add(address: Address, bits: number): void {
    const lengths = this.#byLength[address.kind()]
    const networks = lengths.get(bits) ?? new Set()
    lengths.set(bits, networks.add(networkKey(address, bits)))
  }

  has(ip: string): boolean {
    if (!ipaddr.isValid(ip)) return false
    const address = ipaddr.process(ip)
    for (const [bits, networks] of this.#byLength[address.kind()]) {
      if (networks.has(networkKey(address, bits))) return true
    }
    return false
  }
}

function networkKey(address: Address, bits: number): string {
  const bytes = Buffer.from(address.toByteArray())
  for (let at = 0; at < bytes.length; at++) {
    const left = Math.min(8, Math.max(0, bits - at * 8))
    bytes[at] = (bytes[at] as number) & ((0xff << (8 - left)) & 0xff)
  }
  return bytes.toString('latin1')
}

/** One network or address per line; `#` starts a comment, and invalid lines are skipped. */
function readNetworks(bytes: Buffer, changedAt: number): Networks {
  const networks = new Networks(changedAt)
  for (const line of bytes.toString().split('\n')) {
    const entry = line.replace(/[#;].*/, '').trim()
    if (ipaddr.isValidCIDR(entry)) networks.add(...ipaddr.parseCIDR(entry))
    else if (ipaddr.isValid(entry)) networks.add(ipaddr.parse(entry), ipaddr.parse(entry).kind() === 'ipv4' ? 32 : 128)
  }
  return networks
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const plainAddress = (ip: string): string => (ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : '0.0.0.0')
