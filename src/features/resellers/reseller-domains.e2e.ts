import { expect, expectNoAxeViolations, expectToast, signIn, test } from '#e2e/fixtures.ts'
import { openReseller } from '#e2e/reseller-page.ts'
import { passTime } from '#testing/people/end-users.ts'
import { setPlan } from '#testing/people/people.ts'
import { newReseller } from '#testing/people/resellers.ts'

/** The domain of a reseller, on the owner's page about the reseller. */

test('a domain is required, previewed in readable colors, saved with its records, checked, and deleted', async ({
  app,
  page,
  owner,
}) => {
  const { id, username } = await newReseller(app, owner)
  await openReseller(page, username)
  const save = page.getByRole('button', { name: 'Save domain' })
  await save.click()
  await expect(page.getByText('Domain is required')).toBeVisible()
  await page.getByRole('textbox', { name: 'Domain' }).fill('Keys.Example.org')
  await page.getByRole('textbox', { name: 'Company name' }).fill('Keys & more')
  await page.getByRole('textbox', { name: 'Primary color', exact: true }).fill('#101010')
  await expect(page.getByText('adjusted for readability')).toBeVisible()
  await save.click()
  await expectToast(page, 'Domain configuration saved successfully')
  await expect(page.getByText('Not verified yet')).toBeVisible()
  const records = page.getByRole('listitem').filter({ hasText: /^(CNAME|TXT)/ })
  await expect(records).toHaveText([
    /CNAME.*keys\.example\.org.*signet\.test/,
    /TXT.*_signet\.keys\.example\.org.*signet-domain=/,
  ])
  await expectNoAxeViolations(page)

  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('The TXT record was not found yet.')).toBeVisible()
  const { body } = await owner.visitor.call('GET /resellers/{id}/domain', { params: { id } })
  const { name = '', value = '' } = body.domain?.record ?? {}
  app.names.records.set(name, [value])
  await page.getByRole('button', { name: 'Check now' }).click()
  await expectToast(page, 'The domain is verified')
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Delete domain' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete domain' }).click()
  await expectToast(page, 'Domain deleted successfully')
  await expect(page.getByRole('textbox', { name: 'Domain' })).toHaveValue('')
  expect((await owner.visitor.call('GET /resellers/{id}/domain', { params: { id } })).body.domain).toBeNull()
})

test('a domain without its record shows since when, and later that it is no longer verified', async ({
  app,
  context,
  page,
  owner,
}) => {
  const { id, username } = await newReseller(app, owner)
  const params = { id }
  const saved = await owner.visitor.call('POST /resellers/{id}/domain', {
    params,
    body: { domain: `${username.replaceAll('_', '-')}.example.org` },
  })
  const { name, value } = saved.body.domain.record
  app.names.records.set(name, [value])
  await owner.visitor.call('POST /resellers/{id}/domain/check', { params })
  app.names.records.delete(name)
  for (const text of [
    /The TXT record has been missing since .+ restored by/,
    /Not verified since .+ the TXT record was missing/,
  ]) {
    await passTime(app, owner, 7 * 86_400)
    await signIn(context, app, owner.visitor)
    await app.jobsDone()
    await openReseller(page, username)
    await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
    await expectNoAxeViolations(page)
  }
  await expect(page.getByText('Not verified yet')).toBeVisible()
})

test('without custom branding in the plan, a domain can be viewed and deleted, and Save says why not', async ({
  app,
  page,
  owner,
}) => {
  const { id, username } = await newReseller(app, owner)
  await owner.visitor.call('POST /resellers/{id}/domain', { params: { id }, body: { domain: 'planless.example.org' } })
  await setPlan(app, owner.id, 'Free')
  await openReseller(page, username)
  const save = page.getByRole('button', { name: 'Save domain' })
  await expect(save).toHaveAttribute('title', /The Free plan does not include this/)
  await page.getByRole('textbox', { name: 'Company name' }).fill('Keys')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Delete domain' })).toBeEnabled()
  expect((await owner.visitor.call('GET /resellers/{id}/domain', { params: { id } })).body.domain?.companyName).toBe('')
})
