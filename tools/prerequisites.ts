import { existsSync, readFileSync } from 'node:fs'
import { headlessPackage, systemChromium } from './chromium.ts'
import { runCommand } from './run-command.ts'

/**
 * Prerequisites of the tests besides Node: a Chromium and a Python with `cryptography`, installed if missing. Any
 * change of the system is announced first: what, where and why.
 */

const venv = '.cache/python'
const isRoot = process.getuid?.() === 0

export class Missing extends Error {}

/** Ensures that Playwright finds a browser. */
export async function ensureChromium(): Promise<void> {
  if (systemChromium || (await playwrightHasBrowser())) return
  const why = 'the browser tests need a Chromium and found none'
  if ((await installedByApt(why, headlessPackage)) || (await installedByApt(why, 'chromium'))) return
  console.log(`Downloading Chromium into Playwright's cache in your home folder: ${why}.`)
  await runCommand('npx', ['playwright', 'install', 'chromium'])
  if (await playwrightHasBrowser()) return
  throw new Missing(
    'The browser tests need Chromium, and neither apt nor Playwright could install it. Install it and run again.',
  )
}

/** The command of a Python that can run our client. */
export async function ensurePython(): Promise<string> {
  for (const command of ['python3', '/usr/bin/python3', `${venv}/bin/python`]) {
    if (await hasCryptography(command)) return command
  }
  const why = 'the tests of the Python client need its cryptography package and found none'
  const installed = await installedByApt(why, 'python3', 'python3-cryptography')
  if (installed && (await hasCryptography('/usr/bin/python3'))) return '/usr/bin/python3'
  console.log(`Installing cryptography with pip into ${venv} of this folder: ${why}.`)
  await runCommand('python3', ['-m', 'venv', venv])
  await runCommand(`${venv}/bin/python`, ['-m', 'pip', 'install', '--quiet', 'cryptography'])
  if (await hasCryptography(`${venv}/bin/python`)) return `${venv}/bin/python`
  throw new Missing('The client tests need Python 3 with the cryptography package, which could not be installed.')
}

/** The packaged PostgreSQL does not run as root, so it runs as this user. */
export function announcePostgresUser(): void {
  if (!isRoot || /^postgres:/m.test(readFileSync('/etc/passwd', 'utf8'))) return
  console.log('Adding the system user postgres: the tests start a PostgreSQL, which does not run as root.')
}

async function hasCryptography(python: string): Promise<boolean> {
  const { code } = await runCommand(python, ['-c', 'import cryptography'], { quiet: true })
  return code === 0
}

async function playwrightHasBrowser(): Promise<boolean> {
  const { chromium } = await import('@playwright/test')
  return existsSync(chromium.executablePath())
}

/** Announces what is installed and why; false where it can't be. */
export async function installedByApt(why: string, ...packages: string[]): Promise<boolean> {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return false
  console.log(`Installing ${packages.join(' and ')} on this system with apt: ${why}.`)
  const environment = { DEBIAN_FRONTEND: 'noninteractive' }
  await runCommand('apt-get', ['update', '-qq'], { environment })
  const { code } = await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    environment,
  })
  return code === 0
}
