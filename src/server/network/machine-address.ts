import { networkInterfaces } from 'node:os'

/** The first IPv4 address at which other machines can reach this one; loopback if there is none. */
export function machineAddress(interfaces = networkInterfaces()): string {
  const addresses = Object.values(interfaces).flatMap((each) => each ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}
