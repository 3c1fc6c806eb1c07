import type { Page } from '@playwright/test'
import { goodPassword } from '#testing/people/people.ts'

/** The screens before sign-in, as tests handle them. */

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
/** Why the whole form was refused. */
export const failure = (page: Page) => page.getByRole('main').getByRole('alert')
export const createAccount = (page: Page) => page.getByRole('button', { name: 'Create account' }).click()
export const signedInAs = async (page: Page) => {
  const answer = await page.request.get('/api/1.0/website/check-auth')
  return answer.ok() ? ((await answer.json()) as { user: { username: string; role: string } }).user : undefined
}

/** As a browser that was closed; the page is left first, since an open one leads to the login by itself. */
export async function forgetSession(page: Page) {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

export async function fillRegistration(page: Page, username: string, password = goodPassword) {
  await field(page, 'Username').fill(username)
  await field(page, 'Email').fill(`${username}@example.com`)
  await field(page, 'Display name').fill('Ana Prism')
  await field(page, 'Password').fill(password)
  await field(page, 'Confirm password').fill(password)
  await page.getByRole('checkbox', { name: /terms and conditions/ }).check()
}
