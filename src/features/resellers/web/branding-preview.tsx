import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { brandTokens, type ColorScheme, contrastRatio, schemeColors, surfaces } from '../branding.rules.ts'

interface PreviewProps {
  companyName: string
  logoUrl: string
  primaryColor: string
  secondaryColor: string
}

/** The reseller's sign-in page in both themes, with the contrast-corrected colors and their ratios. */
export const BrandingPreview = (props: PreviewProps) => (
  <div className="grid gap-3 min-[560px]:grid-cols-2">
    <Preview {...props} scheme="dark" label={t`Dark`} />
    <Preview {...props} scheme="light" label={t`Light`} />
  </div>
)

function Preview({
  companyName,
  logoUrl,
  scheme,
  label,
  ...colors
}: PreviewProps & { scheme: ColorScheme; label: string }) {
  const made = schemeColors(colors, scheme)
  const [surface] = surfaces[scheme].slice(1) as [string]
  const [text, button] = [ratioText(made.accentText, surface), ratioText(made.onAccent, made.accent)]
  const isCorrected = made.accentText !== colors.primaryColor.toLowerCase()
  return (
    <figure className="min-w-0">
      <div
        aria-hidden="true"
        style={{ ...brandTokens(colors), colorScheme: scheme }}
        className="flex flex-col gap-2.5 rounded-md border border-line bg-surface-1 p-4 text-text"
      >
        <span className="flex min-w-0 items-center gap-2">
          <Logo url={logoUrl} name={companyName} />
          <span translate="no" className="truncate text-ui font-semibold">
            {companyName || t`Company name`}
          </span>
        </span>
        <span className="h-7 rounded-md border border-line-strong bg-field" />
        <span className="flex items-center justify-between gap-2">
          <span className="text-meta text-accent-text underline underline-offset-2">{t`Forgot password?`}</span>
          <span className="tint-violet rounded-sm px-2 py-0.5 text-meta text-violet">{t`Credits`}</span>
        </span>
        <span className="rounded-md border border-accent-edge bg-accent px-3 py-1 text-center text-ui font-semibold text-on-accent">
          {t`Sign in`}
        </span>
      </div>
      <figcaption className="mt-1.5 text-meta text-text-2">
        {label}: {t`text ${text}:1, button ${button}:1`}
        {isCorrected && <> · {t`adjusted for readability`}</>}
      </figcaption>
    </figure>
  )
}

const ratioText = (one: string, other: string): string =>
  contrastRatio(one, other).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 })

/** Shows an initial if there is no logo or it cannot be loaded. */
function Logo({ url, name }: { url: string; name: string }) {
  const [broken, setBroken] = useState('')
  if (/^https:\/\/./.test(url) && broken !== url) {
    return (
      <img
        src={url}
        alt=""
        referrerPolicy="no-referrer"
        onError={() => setBroken(url)}
        className="size-6 shrink-0 rounded-sm object-contain"
      />
    )
  }
  return (
    <span
      translate="no"
      className="flex size-6 shrink-0 items-center justify-center rounded-sm bg-accent text-meta font-semibold text-on-accent"
    >
      {(name || 'S').slice(0, 1).toUpperCase()}
    </span>
  )
}
