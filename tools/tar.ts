/** Plain files in the tar format (POSIX ustar), readable by any `tar`: names up to 100 bytes, no folders, no times. */

const blockBytes = 512
const padding = (bytes: number): Buffer => Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes)
const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(blockBytes)
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long`)
  header.write(name, 0)
  header.write(octal(0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(0, 11), 136)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  // Checksum of the header, with spaces in the checksum field.
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)} `, 148)
  return header
}

export function packTar(files: ReadonlyMap<string, Buffer>): Buffer {
  const parts = [...files].flatMap(([name, content]) => [
    headerOf(name, content.length),
    content,
    padding(content.length),
  ])
  return Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)])
}

export function unpackTar(tar: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = 0; at < tar.length && tar[at] !== 0;) {
    const name = tar.toString('utf8', at, tar.indexOf(0, at))
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    const begin = at + blockBytes
    files.set(name, tar.subarray(begin, begin + size))
    at = begin + Math.ceil(size / blockBytes) * blockBytes
  }
  return files
}
