/** One DER value: tag, length, content. */
export function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

export const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts)
export const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes))
export const time = (date: Date): Buffer => der(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')))
/** A name of a certificate. */
export const commonName = (text: string): Buffer =>
  sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(text)))))
export const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`
