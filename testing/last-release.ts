import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { unpackTar } from '../tools/tar.ts'

export interface LastRelease {
  version: string
  commit: string
  /** How many migrations it knows. */
  migrations: number
  /** The file to run. */
  program: string
}

const archives = join(import.meta.dirname, 'last-release')

/** Unpacks the server that `npm run release:archive` stored. */
export function unpackLastRelease(folder: string): LastRelease {
  const release = JSON.parse(readFileSync(join(archives, 'release.json'), 'utf8')) as Omit<LastRelease, 'program'>
  const [archive = ''] = globSync('*.tar.br', { cwd: archives })
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of unpackTar(brotliDecompressSync(readFileSync(join(archives, archive))))) {
    writeFileSync(join(folder, name), content)
  }
  return { ...release, program: join(folder, 'main.js') }
}
