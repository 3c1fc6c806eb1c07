import type { Visitor } from '#testing/people/visitor.ts'

/** The cookies of a signed-in account, for a browser. */
export const cookiesOf = (visitor: Visitor, url: string) =>
  visitor
    .cookieHeader()
    .split('; ')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return { name, value, url }
    })
