import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { pt } from './catalogue.ts'
import { expect } from './fixtures.ts'
import { test } from './portuguese-reader.ts'

test.use({ locale: 'pt-BR' })

test('alerts, their evidence and their settings are in Portuguese', async ({ app, page, owner, reader }) => {
  for (const username of ['ada', 'ben', 'cyd']) {
    await signedIn(app, owner, await newSubscriber(owner, { username }))
    reader.data.add(username)
  }
  await owner.visitor.call('POST /alerts/run-detection', { body: {} })
  const { details } = (await owner.visitor.call('GET /alerts')).body.data[0] ?? {}
  for (const text of ['HWID_MULTI_KEY', '127.0.0.1', 'login', details?.hwid, details?.hwid.slice(0, 16)]) {
    reader.data.add(text ?? '')
  }
  // What a row is called by for those who don't see it.
  reader.data.add(`${pt('Many keys on one machine')} ${details?.key}`)
  await page.goto('/alerts')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await reader.openMenus()
  await page.locator('tbody [aria-expanded]').click()
  await reader.button('Latest activity of {user}', 'ada').click()
  await reader.settled()
  await reader.openDialog('/alerts?dialog=thresholds')
  await reader.field('From how many on').fill('0')
  await reader.submit()
  await reader.go('/alerts')
  await reader.button('Dismiss').click()
  await reader.shows('Alert dismissed')
  await reader.button('Undo').click()
  await reader.shows('Alert is new again')
})
