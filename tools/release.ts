import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChecks } from './check.ts'
import { datedChangelog } from './changelog.ts'
import { root, runBuild } from './outdated.ts'
import { setVersions } from './release-versions.ts'

/**
 * `npm run release -- VERSION`: sets the version everywhere, dates the changelog, checks, builds all packages into
 * `release/`, commits, and tags. It publishes nothing (docs/releasing.md).
 */

const [version = ''] = process.argv.slice(2)
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const fail = (problem: string): never => {
  console.error(problem)
  process.exit(1)
}

if (!/^\d+\.\d+\.\d+$/.test(version)) fail('npm run release -- VERSION, such as 0.2.0')
if (git('status', '--porcelain') !== '') fail('Commit or discard your changes first.')
if (git('tag', '--list', `v${version}`) !== '') fail(`The tag v${version} exists.`)

const changelog = join(root, 'CHANGELOG.md')
const today = new Date().toISOString().slice(0, 10)
const dated = datedChangelog(readFileSync(changelog, 'utf8'), version, today)
const release = join(root, 'release')
const before = git('rev-parse', 'HEAD')

try {
  setVersions(version)
  writeFileSync(changelog, dated)
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root, stdio: 'inherit' })
  const { failed } = await runChecks()
  if (failed > 0) throw new Error('The checks failed.')
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  for (const script of ['build-dashboard', 'build-server']) await runBuild(join(import.meta.dirname, `${script}.ts`))
  await runBuild(join(import.meta.dirname, 'build-clients.ts'), '--nuget')
  rmSync(release, { recursive: true, force: true })
  mkdirSync(release)
  cpSync(join(root, 'dist/clients'), release, { recursive: true })
  const server = `signet-${version}.tar.gz`
  git('add', '--all')
  git('commit', '--message', `Release ${version}`)
  git('archive', '--format=tar.gz', `--prefix=signet-${version}/`, '--output', join(release, server), 'HEAD')
  git('tag', '--annotate', `v${version}`, '--message', `Signet ${version}`)
} catch (error) {
  git('reset', '--hard', '--quiet', before)
  fail(`${error instanceof Error ? error.message : String(error)}\nNothing was released; the changes are undone.`)
}
console.log(`\nrelease/ holds ${readdirSync(release).join(', ')}. Publish as docs/releasing.md says.`)
