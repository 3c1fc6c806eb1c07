import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Accepts only full notation: no octal, shortened IPv4 or zone. IPv4-mapped IPv6 becomes IPv4. */
function readAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined
  return ipaddr.IPv6.parse(text)
}

const bitsOf = (address: Address): number => (address.kind() === 'ipv4' ? 32 : 128)

interface Network {
  address: Address
  bits: number
}

function readNetwork(text: string): Network | undefined {
  const [, base = '', length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const written = readAddress(base)
  if (!written) return undefined
  const bits = length === undefined ? bitsOf(written) : Number(length)
  if (bits > bitsOf(written)) return undefined
  if (written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress() && bits >= 96) {
    return { address: written.toIPv4Address(), bits: bits - 96 }
  }
  return { address: written, bits }
}

/** `10.1.2.3/8` becomes `10.0.0.0/8`, `::ffff:1.2.3.4` becomes `1.2.3.4`; undefined if not an address or network. */
export function normalizeIpEntry(text: string): string | undefined {
  const network = readNetwork(text)
  if (!network) return undefined
  const { address, bits } = network
  if (bits === bitsOf(address)) return address.toString()
  const cidr = `${address.toString()}/${bits}`
  const first =
    address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${first.toString()}/${bits}`
}

/** Whether the IP address is on a normalized list; an empty list allows all addresses. */
export function isIpAllowed(list: readonly string[], ip: string): boolean {
  if (list.length === 0) return true
  if (!ipaddr.isValid(ip)) return false
  const caller = ipaddr.process(ip)
  return list.some((entry) => {
    const network = readNetwork(entry)
    if (!network || network.address.kind() !== caller.kind()) return false
    return caller.match(network.address as never, network.bits)
  })
}
