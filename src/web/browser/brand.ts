/** Brand written into the page by the server on a reseller's own domain: name, logo and colors with their contrast. */
interface Brand {
  name: string
  logo: string
  tokens: Record<string, string>
}

const written = document.querySelector<HTMLMetaElement>('meta[name="signet-brand"]')?.content ?? ''

/** `undefined` on Signet's own host; in development, the placeholder `__BRAND__`. */
export const brand: Brand | undefined = written.startsWith('{') ? (JSON.parse(written) as Brand) : undefined

/** Applied before the first paint, and through the DOM because of the Content-Security-Policy. */
export function applyBrand() {
  if (!brand) return
  for (const [name, value] of Object.entries(brand.tokens)) document.documentElement.style.setProperty(name, value)
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (brand.logo && icon) {
    icon.removeAttribute('type')
    icon.href = brand.logo
  }
}
