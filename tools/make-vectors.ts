import { mkdirSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { certificateVectors, publicKeyVectors } from './vectors/certificate-vectors.ts'
import { replyVectors } from './vectors/reply-vectors.ts'
import { requestVectors } from './vectors/request-vectors.ts'
import { sealedVectors } from './vectors/sealed-vectors.ts'

export const vectorsFolder = new URL('../sdks/vectors/', import.meta.url)

/** The exact text of each file in sdks/vectors. Run this file to write them. */
export async function makeVectors(): Promise<Record<string, string>> {
  const files = {
    'request-hash.json': requestVectors(),
    'certificates.json': certificateVectors(),
    'public-keys.json': publicKeyVectors(),
    'replies.json': replyVectors(),
    'sealed-bodies.json': await sealedVectors(),
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [name, `${JSON.stringify(content, null, 2)}\n`]),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  mkdirSync(vectorsFolder, { recursive: true })
  for (const [name, text] of Object.entries(await makeVectors())) writeFileSync(new URL(name, vectorsFolder), text)
}
