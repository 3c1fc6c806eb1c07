import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(?:js|css|svg|html)$/

/** Writes a `.br` and a `.gz` next to each text file of a folder. Brotli's quality 11 takes 20 times as long as 5. */
export async function precompressFiles(folder: string, quality: number): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((name) => compressible.test(name))) {
    const path = join(folder, file)
    const text = await readFile(path)
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
    await writeFile(`${path}.br`, await promisify(brotliCompress)(text, { params }))
    await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }))
  }
}

/** Compresses the files of a finished build, including `index.html`, for its hash. */
export function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      outDir = resolve(root, build.outDir)
    },
    closeBundle: () => precompressFiles(outDir, 11),
  }
}
