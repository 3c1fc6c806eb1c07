/** Browsers hash a file only as a whole, in memory. */
const maxHashedBytes = 256_000_000

/**
 * SHA-256 in hex; undefined where the browser can't tell: a page without HTTPS, a large file, one that changed on the
 * disk.
 */
export async function fileHash(file: File): Promise<string | undefined> {
  if (!window.isSecureContext || file.size > maxHashedBytes) return undefined
  try {
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  } catch {
    return undefined
  }
}
