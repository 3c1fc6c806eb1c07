import { mkdirSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { announcementVectors } from './vectors/announcement-vectors.ts'
import { answerVectors } from './vectors/answer-vectors.ts'
import { appNameVectors } from './vectors/app-name-vectors.ts'
import { certificateVectors, publicKeyVectors } from './vectors/certificate-vectors.ts'
import { hardwareIdVectors } from './vectors/hardware-id-vectors.ts'
import { keyVectors } from './vectors/key-vectors.ts'
import { replyVectors } from './vectors/reply-vectors.ts'
import { requestVectors } from './vectors/request-vectors.ts'
import { sealedVectors } from './vectors/sealed-vectors.ts'

export const vectorsFolder = new URL('../sdks/vectors/', import.meta.url)

/** The exact text of each file in sdks/vectors. Run this file to write them. */
export async function makeVectors(): Promise<Record<string, string>> {
  const files = {
    'request-hash.json': requestVectors(),
    'certificates.json': certificateVectors(),
    'announcements.json': announcementVectors(),
    'public-keys.json': publicKeyVectors(),
    'replies.json': replyVectors(),
    'sealed-bodies.json': await sealedVectors(),
    'answers.json': answerVectors(),
    'app-names.json': appNameVectors(),
    'hardware-ids.json': hardwareIdVectors(),
    'keys.json': keyVectors(),
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [name, `${visible(JSON.stringify(content, null, 2))}\n`]),
  )
}

/** Escapes all but letters, digits, and symbols, so that a reader sees them and no editor changes them. */
const visible = (json: string): string =>
  json.replaceAll(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Zs}\p{Mn}\p{Cn}\p{Co}]/gu, (character) =>
    character === ' ' || character === '\n' ? character : escaped(character),
  )

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  mkdirSync(vectorsFolder, { recursive: true })
  for (const [name, text] of Object.entries(await makeVectors())) writeFileSync(new URL(name, vectorsFolder), text)
}
