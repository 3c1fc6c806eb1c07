import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { openDatabase } from '#database/open-database.ts'
import { readConfig } from '#server/config/config.ts'
import { openMasterKey } from '#server/secrets/open-master-key.ts'
import { startDemoServer } from '#testing/demo/demo-server.ts'
import { fillPlatform } from '#testing/demo/fill-platform.ts'
import { demoPassword } from '#testing/demo/story.ts'
import { features } from '#features.ts'
import { ensureDashboard } from '../build-dashboard.ts'
import { chromiumLaunch } from '../chromium.ts'
import { root } from '../outdated.ts'
import { maxPictureBytes, type Picture, pictures, pictureSize, pictureThemes } from './pictures.ts'

/**
 * `npm run docs:screenshots [-- NAME …]`: takes the pictures of the documentation, or the named ones, from the demo data
 * at a fixed time. Keys and IDs are random, so a picture is never the same twice.
 */
const now = Date.UTC(2026, 9, 14, 15, 30) / 1000
const folder = join(root, 'docs/images')

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const chosen = pictures.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  await ensureDashboard()
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-screenshots-'))
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: 'http://127.0.0.1:8080' })
  const { databaseUrl, databaseConnections } = config
  const sources = features.flatMap((feature) => feature.searches ?? [])
  const db = await openDatabase({ databaseUrl, databaseConnections, dataDir, sources })
  try {
    const platform = { config, db, masterKey: await openMasterKey({ db, file: config.masterKeyFile, features }) }
    await fillPlatform(platform, { now })
    const receiver = () => ({ failure: 'unreachable' as const, answer: '', isCut: false })
    const server = await startDemoServer(platform, { from: now, receiver, dashboardDir: join(root, 'dist/web') })
    try {
      await takePictures(server.url, chosen)
    } finally {
      await server.stop()
    }
  } finally {
    await db.close()
    rmSync(dataDir, { recursive: true })
  }
}

async function takePictures(url: string, chosen: readonly Picture[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const browser = await chromium.launch(chromiumLaunch)
  try {
    for (const theme of pictureThemes) {
      const context = await browser.newContext({
        baseURL: url,
        viewport: pictureSize,
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
        locale: 'en-US',
      })
      await context.addInitScript(`localStorage.setItem('signet.theme', '${theme}')`)
      const page = await signedIn(context)
      for (const picture of chosen) await takePicture(page, picture, `${picture.name}-${theme}.webp`)
      await context.close()
    }
  } finally {
    await browser.close()
  }
}

async function signedIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  // The stream of changes never ends, so the network would never be idle.
  await page.route('**/website/live?**', (route) => route.abort())
  await page.clock.setFixedTime(now * 1000)
  await page.goto('/login')
  await page.getByLabel('Username').fill('marina')
  await page.locator('input[type=password]').fill(demoPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL(({ pathname }) => pathname !== '/login')
  return page
}

async function takePicture(page: Page, { path, menu, hover, ready }: Picture, file: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  if (menu) {
    await page.getByRole('row', { name: menu.row }).getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: menu.item, exact: true }).click()
  }
  await page.getByText(ready).first().waitFor()
  await page.waitForLoadState('networkidle')
  if (hover) await page.locator(hover).first().hover()
  else await page.mouse.move(0, 0)
  const bytes = await asWebp(page, await page.screenshot({ animations: 'disabled' }))
  if (bytes.length > maxPictureBytes) throw new Error(`${file} has ${bytes.length} bytes`)
  writeFileSync(join(folder, file), bytes)
  console.log(`docs/images/${file}: ${Math.round(bytes.length / 1000)} KB`)
}

/** The browser writes WebP, which takes a third of the bytes of a PNG. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage()
  const url = await blank.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.9)
  })()`)
  await blank.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

await main()
