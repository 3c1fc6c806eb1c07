import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { setPlatform } from '#testing/platform.ts'
import { Authenticator, turnOnTwoFactor } from '#testing/people/two-factor.ts'

const card = (page: Page): Locator => page.getByRole('region', { name: 'Two-Factor Authentication' })
const setup = (page: Page): Locator => page.getByRole('dialog', { name: 'Turn on two-factor authentication' })
const sheet = (page: Page): Locator => page.getByRole('dialog', { name: 'Your recovery codes' })
const codeField = (within: Page | Locator): Locator => within.getByRole('textbox', { name: 'Two-factor code' })
const recoveryField = (within: Page | Locator): Locator => within.getByRole('textbox', { name: 'Recovery code' })
const wrongCode = 'This code is not valid'

/** Opens the dialog; reads the secret from the screen, as a user without a camera does. */
async function openSetup(page: Page): Promise<string> {
  await page.goto('/profile')
  await card(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(setup(page).getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
  return setup(page).getByRole('group', { name: 'Secret' }).innerText()
}

async function enterPassword(page: Page, { username, password }: SignedInOwner) {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
}

const signIn = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign in' }).click()

test.beforeEach(async ({ app }) => {
  // Sign-ins of earlier tests come from the same address.
  app.advance(61)
  await setPlatform(app, 'security', { enable2FA: true })
})

test('is turned on with the secret shown and recovery codes to save, and required at the next sign-in', async ({
  app,
  page,
  owner,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const secret = await openSetup(page)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  await setup(page).getByRole('button', { name: 'Copy secret' }).click()
  await expect.poll(copied).toBe(secret)
  await codeField(setup(page)).click()

  await codeField(setup(page)).fill('12345')
  await page.keyboard.press('Enter')
  await expect(setup(page).getByText('Enter the six digits of the code')).toBeVisible()
  await expectNoAxeViolations(page)
  const phone = new Authenticator(app, secret)
  await codeField(setup(page)).fill(phone.wrongCode())
  await page.keyboard.press('Enter')
  await expect(setup(page).getByRole('alert')).toHaveText(wrongCode)
  await expect(codeField(setup(page))).toBeFocused()
  const code = phone.code()
  await codeField(setup(page)).fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await expect(codeField(setup(page))).toHaveValue(code)
  await page.keyboard.press('Enter')

  await expect(sheet(page).getByRole('listitem')).toHaveCount(10)
  await expectNoAxeViolations(page)
  const codes = await sheet(page).getByRole('listitem').allInnerTexts()
  await sheet(page).getByRole('button', { name: 'Copy all' }).click()
  await expect.poll(copied).toBe(codes.join('\n'))
  const download = page.waitForEvent('download')
  await sheet(page).getByRole('button', { name: 'Download TXT' }).click()
  const file = await download
  expect(file.suggestedFilename()).toContain(owner.username)
  expect(await readFile(await file.path(), 'utf8')).toBe(`${codes.join('\n')}\n`)

  // An accidental Escape does not close the dialog.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await sheet(page).getByRole('button', { name: 'I have saved them' }).click()
  await expect(sheet(page)).toBeHidden()
  await expect(card(page).getByText('On', { exact: true })).toBeVisible()
  await expect(card(page)).toContainText('Recovery codes left: 10')
  await page.reload()
  await expect(card(page).getByRole('button', { name: 'Turn off' })).toBeVisible()
  await expect(page.getByText(codes[0] ?? '')).toBeHidden()

  // The code used to turn it on cannot be reused.
  app.advance(30)
  await page.getByRole('button', { name: `account of ${owner.username}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await enterPassword(page, owner)
  await codeField(page).fill(phone.wrongCode())
  await signIn(page)
  await expect(page.getByText(wrongCode)).toBeVisible()
  await codeField(page).fill(phone.code())
  await signIn(page)
  await expect(page).toHaveURL(/\/overview$/)
})

test('asks for a code after the password, and each code works once', async ({ app, page, owner }) => {
  const { authenticator } = await turnOnTwoFactor(app, owner)
  await page.context().clearCookies()
  await page.goto('/login')
  await enterPassword(page, owner)
  await expect(page.getByText(`Signing in as ${owner.username}`)).toBeVisible()
  await expect(codeField(page)).toBeFocused()
  await signIn(page)
  await expect(page.getByText('Enter the six digits of the code')).toBeVisible()
  await expectNoAxeViolations(page)
  await codeField(page).fill(authenticator.wrongCode())
  await signIn(page)
  await expect(page.getByText(wrongCode)).toBeVisible()
  await expect(codeField(page)).toBeFocused()

  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused()
  await signIn(page)
  const code = authenticator.code()
  await codeField(page).fill(code)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Login successful! Welcome back.')
  await expect(page).toHaveURL(/\/overview$/)

  await page.context().clearCookies()
  await page.goto('/login')
  await enterPassword(page, owner)
  await codeField(page).fill(code)
  await signIn(page)
  await expect(page.getByText(wrongCode)).toBeVisible()
})

test('accepts each recovery code once instead, and shows how many are left', async ({ app, page, owner }) => {
  const { authenticator, recoveryCodes } = await turnOnTwoFactor(app, owner)
  const [recoveryCode = ''] = recoveryCodes
  const enterRecoveryCode = async () => {
    await page.context().clearCookies()
    await page.goto('/login')
    await enterPassword(page, owner)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await expect(recoveryField(page)).toBeFocused()
    await recoveryField(page).fill(recoveryCode.toLowerCase())
    await signIn(page)
  }
  await enterRecoveryCode()
  await expect(page).toHaveURL(/\/overview$/)
  await page.goto('/profile')
  await expect(card(page)).toContainText('Recovery codes left: 9')

  await enterRecoveryCode()
  await expect(page.getByText(wrongCode)).toBeVisible()
  await page.getByRole('button', { name: 'Use the authenticator app' }).click()
  await codeField(page).fill(authenticator.code())
  await signIn(page)
  await expect(page).toHaveURL(/\/overview$/)
})

test('leads back to the password when the sign-in has expired, and says when to try again', async ({
  app,
  page,
  owner,
}) => {
  const { authenticator } = await turnOnTwoFactor(app, owner)
  await page.context().clearCookies()
  await page.goto('/login')
  await enterPassword(page, owner)
  app.advance(301)
  await codeField(page).fill(authenticator.code())
  await signIn(page)
  await expect(page.getByText('This sign-in has expired. Please start again.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused()

  await signIn(page)
  const tooMany = page.getByText(/^Too many failed attempts\. Try again in \d+ minutes\.$/)
  for (let attempt = 1; attempt <= 5; attempt++) {
    const answer = page.waitForResponse('**/login/two-factor')
    await codeField(page).fill(authenticator.wrongCode())
    await signIn(page)
    await (await answer).finished()
  }
  await expect(page.getByText(wrongCode)).toBeVisible()
  await codeField(page).fill(authenticator.code())
  await signIn(page)
  await expect(tooMany).toBeVisible()
})

test('also asks for the code before a sensitive action, and is turned off with password and code', async ({
  app,
  page,
  owner,
}) => {
  const { authenticator } = await turnOnTwoFactor(app, owner)
  await page.goto('/profile')
  app.advance(301)
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const goodbye = page.getByRole('dialog', { name: 'Delete your account?' })
  await goodbye.getByRole('textbox', { name: 'Username' }).fill(owner.username)
  await goodbye.getByRole('button', { name: 'Delete Account' }).click()
  const passwordDialog = page.getByRole('dialog', { name: 'Please confirm your password' })
  await passwordDialog.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await passwordDialog.getByRole('button', { name: 'Continue' }).click()
  await expect(codeField(passwordDialog)).toBeFocused()
  await codeField(passwordDialog).fill(authenticator.wrongCode())
  await page.keyboard.press('Enter')
  await expect(passwordDialog.getByRole('alert')).toHaveText(wrongCode)
  await passwordDialog.getByRole('button', { name: 'Cancel' }).click()
  await goodbye.getByRole('button', { name: 'Cancel' }).click()

  const turnOff = page.getByRole('dialog', { name: 'Turn off two-factor authentication' })
  await card(page).getByRole('button', { name: 'Turn off' }).click()
  await turnOff.getByRole('textbox', { name: 'Password' }).fill('Wrong8Horse')
  await codeField(turnOff).fill(authenticator.code())
  await turnOff.getByRole('button', { name: 'Turn off' }).click()
  await expect(turnOff.getByRole('alert')).toHaveText('The password is incorrect')
  await turnOff.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await turnOff.getByRole('button', { name: 'Turn off' }).click()
  await expectToast(page, 'Two-factor authentication is off')
  await expect(card(page).getByText('Off', { exact: true })).toBeVisible()
  expect((await owner.visitor.call('GET /profile/two-factor')).body).toMatchObject({ enabled: false })
})

test('returns new recovery codes for password and code; the old ones no longer work', async ({ app, page, owner }) => {
  const { authenticator, recoveryCodes } = await turnOnTwoFactor(app, owner)
  await page.goto('/profile')
  await card(page).getByRole('button', { name: 'New recovery codes' }).click()
  const asked = page.getByRole('dialog', { name: 'Generate new recovery codes' })
  await asked.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await codeField(asked).fill(authenticator.wrongCode())
  await asked.getByRole('button', { name: 'Generate new codes' }).click()
  await expect(asked.getByRole('alert')).toHaveText(wrongCode)
  await expectNoAxeViolations(page)
  await codeField(asked).fill(authenticator.code())
  await asked.getByRole('button', { name: 'Generate new codes' }).click()
  await expect(sheet(page).getByRole('listitem')).toHaveCount(10)
  const [fresh = ''] = await sheet(page).getByRole('listitem').allInnerTexts()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.goBack()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await sheet(page).getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await sheet(page).getByRole('button', { name: 'Download TXT' }).click()
  await sheet(page).getByRole('button', { name: 'Close' }).click()
  await expect(sheet(page)).toHaveCount(0)
  await expect(card(page).getByText('Recovery codes left: 10')).toBeVisible()

  const visitor = app.visitor()
  const { body } = await visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
  const finish = (recoveryCode: string) =>
    visitor.call('POST /login/two-factor', { body: { pendingToken: body.pendingToken as string, recoveryCode } })
  expect((await finish(recoveryCodes[0] as string)).status).not.toBe(200)
  expect((await finish(fresh)).status).toBe(200)
})

test.describe('in two tabs', () => {
  const replaced = (page: Page) =>
    setup(page).getByRole('alert').filter({ hasText: 'This QR code is no longer valid.' })

  test('the tab whose secret is no longer valid says so at once, and starts anew', async ({
    app,
    page,
    owner,
    context,
  }) => {
    const other = await context.newPage()
    const first = await openSetup(page)
    const second = await openSetup(other)
    await expect(replaced(page)).toBeVisible()
    await expect(setup(page).getByRole('img', { name: 'QR code of the secret' })).toBeHidden()
    await expect(setup(page).getByRole('button', { name: 'Turn on' })).toBeDisabled()
    await expectNoAxeViolations(page)
    await setup(page).getByRole('button', { name: 'Start again' }).click()
    await expect(setup(page).getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
    await expect(replaced(other)).toBeVisible()
    const latest = await setup(page).getByRole('group', { name: 'Secret' }).innerText()
    expect(new Set([first, second, latest]).size).toBe(3)

    const phone = new Authenticator(app, latest)
    await codeField(setup(page)).fill(phone.code())
    await page.keyboard.press('Enter')
    await expect(sheet(page).getByRole('listitem')).toHaveCount(10)
    const [recoveryCode = ''] = await sheet(page).getByRole('listitem').allInnerTexts()
    const already = other.getByRole('dialog', { name: 'Two-factor authentication is already on' })
    await expect(already).toBeVisible()
    await already.getByRole('button', { name: 'OK' }).click()
    await expect(card(other).getByRole('button', { name: 'Turn off' })).toBeVisible()

    const login = { username: owner.username, password: owner.password }
    for (const factor of [() => ({ code: phone.code() }), () => ({ recoveryCode })]) {
      app.advance(31)
      const visitor = app.visitor()
      const { body } = await visitor.call('POST /login', { body: login })
      const finish = { pendingToken: body.pendingToken as string, ...factor() }
      expect((await visitor.call('POST /login/two-factor', { body: finish })).status).toBe(200)
    }
  })

  test('a secret that another browser has replaced is named as such when its code is entered', async ({
    app,
    page,
    owner,
  }) => {
    const secret = await openSetup(page)
    await owner.visitor.call('POST /profile/two-factor/start')
    await codeField(setup(page)).fill(new Authenticator(app, secret).code())
    await page.keyboard.press('Enter')
    await expect(replaced(page)).toBeVisible()
    await setup(page).getByRole('button', { name: 'Start again' }).click()
    await expect(codeField(setup(page))).toHaveValue('')
    const latest = await setup(page).getByRole('group', { name: 'Secret' }).innerText()
    await codeField(setup(page)).fill(new Authenticator(app, latest).code())
    await page.keyboard.press('Enter')
    await expect(sheet(page).getByRole('listitem')).toHaveCount(10)
  })

  test('a confirmation whose reply was lost leads to new recovery codes', async ({ app, page, owner, connection }) => {
    await page.goto(`${connection.url}/profile`)
    await card(page).getByRole('button', { name: 'Turn on' }).click()
    const phone = new Authenticator(app, await setup(page).getByRole('group', { name: 'Secret' }).innerText())
    connection.stall()
    await codeField(setup(page)).fill(phone.code())
    await page.keyboard.press('Enter')
    const isOn = async () => (await owner.visitor.call('GET /profile/two-factor')).body.enabled
    await expect.poll(isOn).toBe(true)
    await connection.reject()
    await expect(setup(page).getByRole('alert')).toBeVisible()
    await connection.restore()
    await setup(page).getByRole('button', { name: 'Turn on' }).click()
    const already = page.getByRole('dialog', { name: 'Two-factor authentication is already on' })
    await already.getByRole('button', { name: 'New recovery codes' }).click()
    await expect(page.getByRole('dialog', { name: 'Generate new recovery codes' })).toBeVisible()
  })
})

test('a secret that failed to load is requested again', async ({ page, owner, server }) => {
  await page.goto('/profile')
  // Opened once, so that the dialog and its imports are loaded.
  await card(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(setup(page).getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(setup(page)).toBeHidden()
  await server.stop()
  await card(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(setup(page).getByRole('alert')).toContainText('An unexpected error occurred')
  await expect(setup(page).getByRole('button', { name: 'Turn on' })).toBeDisabled()
  await expect(codeField(setup(page))).toHaveCount(0)
  await server.start()
  await setup(page).getByRole('button', { name: 'Retry' }).click()
  await expect(setup(page).getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
  await expect(codeField(setup(page))).toBeFocused()
  expect((await owner.visitor.call('GET /profile/two-factor')).body).toMatchObject({ enabled: false })
})

test('changing the password also asks for the code, and accepts it', async ({ app, page, owner }) => {
  const { authenticator } = await turnOnTwoFactor(app, owner)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Change Password' }).click()
  const change = page.getByRole('dialog', { name: 'Change Password' })
  const press = () => change.getByRole('button', { name: 'Change Password' }).click()
  await change.getByLabel('Current password').fill(owner.password)
  await change.getByLabel('New password', { exact: true }).fill('Another8Horse')
  await change.getByLabel('Confirm new password').fill('Another8Horse')
  await press()
  await expect(codeField(change)).toBeFocused()
  await expect(change.getByRole('alert')).toBeHidden()
  await expectNoAxeViolations(page)
  await press()
  await expect(change.getByText('Enter the six digits of the code')).toBeVisible()
  await codeField(change).fill(authenticator.wrongCode())
  await press()
  await expect(change.getByRole('alert')).toContainText(wrongCode)
  await codeField(change).fill(authenticator.code())
  await press()
  await expectToast(page, 'Password changed successfully')
})
