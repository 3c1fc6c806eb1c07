import { countryText } from './country-text.ts'

/** Code and name of a country, in one line that may be cut. Renders nothing if the country is unknown. */
export function CountryName({ code }: { code: string }) {
  if (code === '') return null
  const name = countryText(code)
  return (
    <span className="min-w-0 truncate text-text-2" title={name}>
      <span translate="no" className="machine">
        {code}
      </span>
      {name !== code && ` ${name}`}
    </span>
  )
}
