import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import manifest from '../package.json' with { type: 'json' }
import { migrations } from '../src/database/migrations/list.ts'
import { buildServer } from './build-server.ts'
import { root } from './outdated.ts'
import { packTar } from './tar.ts'

/**
 * Stores the server of this commit as the last release, replacing the previous one.
 * `src/guarantees/rolling-upgrade.test.ts` runs it on the tables of later versions.
 */

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const changed = git('status', '--porcelain', '--', 'src', 'package-lock.json')
if (changed) {
  console.error(`Commit these first, so that the archive is of a commit:\n${changed}`)
  process.exit(1)
}

const archives = join(root, 'testing/last-release')
const built = mkdtempSync(join(tmpdir(), 'signet-release-'))
try {
  await buildServer(built, { minify: true })
  const files = new Map(
    readdirSync(built)
      .toSorted()
      .map((name) => [name, readFileSync(join(built, name))]),
  )
  // Tells the report thread that its file is a module.
  files.set('package.json', Buffer.from('{ "type": "module" }\n'))
  const tar = packTar(files)
  const archive = brotliCompressSync(tar, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: tar.length } })
  const { version } = manifest
  rmSync(archives, { recursive: true, force: true })
  mkdirSync(archives)
  writeFileSync(join(archives, `signet-${version}.tar.br`), archive)
  const release = { version, commit: git('rev-parse', '--short', 'HEAD'), migrations: migrations.length }
  writeFileSync(join(archives, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
  console.log(
    `signet-${version}.tar.br: ${Math.round(archive.length / 1000)} kB of ${Math.round(tar.length / 1000)} kB`,
  )
} finally {
  rmSync(built, { recursive: true })
}
