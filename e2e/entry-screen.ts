import type { Page } from '@playwright/test'
import { goodPassword } from '#testing/people/people.ts'

/** Helpers for the screens before sign-in. */

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
/** The error of the whole form. */
export const failure = (page: Page) => page.getByRole('main').getByRole('alert')
export const createAccount = (page: Page) => page.getByRole('button', { name: 'Create account' }).click()
export const signedInAs = async (page: Page) => {
  const answer = await page.request.get('/api/1.0/website/check-auth')
  return answer.ok() ? ((await answer.json()) as { user: { username: string; role: string } }).user : undefined
}

/** Like a closed browser; leaves the page first, because an open one redirects to the sign-in form. */
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
