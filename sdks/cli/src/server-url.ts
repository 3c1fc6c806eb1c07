import { usage } from './failures.ts'

/** The address of a server without a slash at its end. Plain HTTP would show the key to the network. */
export function serverUrl(text: string, { allowHttp }: { allowHttp: boolean }): string {
  if (!URL.canParse(text)) throw usage('The server address is not a URL, such as https://signet.example.com')
  const { protocol, hostname, username, password, origin, pathname } = new URL(text)
  if (username || password) throw usage('The server address must not contain a password')
  if (protocol !== 'https:' && protocol !== 'http:') throw usage('The server address must start with https://')
  if (protocol === 'http:' && !isLoopback(hostname) && !allowHttp)
    throw usage(`${origin} is not encrypted, so the network can read the key. Use https://, or --allow-http`)
  return origin + pathname.replace(/\/+$/, '')
}

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
