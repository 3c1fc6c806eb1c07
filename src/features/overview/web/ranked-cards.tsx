import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { BarList, type RankedRow } from '#web/charts/bar-list.tsx'
import { ChartCard } from '#web/charts/chart-card.tsx'
import { type ChartColor, chartColors } from '#web/charts/chart-colors.ts'
import { countryText } from '#web/ui/country-text.ts'
import { maxRows, moreHeight, rowHeight, smallHeight } from './chart-sizes.ts'
import type { Overview } from './overview-data.ts'
import { type Period, signInsAddress } from './overview-links.ts'

interface RankedCardProps {
  title: string
  description: ReactNode
  fileName: string
  nameHead: string
  color: ChartColor
  empty: string
  rows: readonly (RankedRow & { label: string })[]
}

const heightOf = (rows: number): number =>
  Math.max(smallHeight, Math.min(rows, maxRows) * rowHeight + (rows > maxRows ? moreHeight : 0))

export function RankedCard({ title, description, fileName, nameHead, rows, color: fill, empty }: RankedCardProps) {
  const table = {
    head: [nameHead, t`Count`],
    rows: rows.map(({ label, count }) => [label, count] as const),
    fileNames: rows.map(({ id, label }) => id || label),
  }
  return (
    <ChartCard
      title={title}
      description={description}
      fileName={fileName}
      table={table}
      empty={rows.length === 0 ? empty : undefined}
      lang={i18n.locale}
      height={heightOf(rows.length)}
      isPart
    >
      <BarList label={title} rows={rows} color={fill} lang={i18n.locale} />
    </ChartCard>
  )
}

/** The accessible name of a count that is a link. */
export const linkText = (name: string, count: number): string => {
  const shown = count.toLocaleString(i18n.locale)
  return t`${name}: ${shown}`
}

export function CountriesCard({ overview, period }: { overview: Overview; period: Period }) {
  const { countries } = overview
  const isUnknown = countries.length > 0 && countries.every(({ country }) => country === '')
  const known = countries.filter(({ country }) => country !== '').length
  return (
    <RankedCard
      title={t`Top countries`}
      description={
        known > 0 && <p>{plural(known, { one: 'Sign-ins from # country', other: 'Sign-ins from # countries' })}</p>
      }
      fileName="countries"
      nameHead={t`Country`}
      rows={
        isUnknown
          ? []
          : countries.map(({ country, count }) => {
              const label = country === '' ? t`Unknown` : countryText(country)
              const link = { ...signInsAddress(period, country), label: linkText(label, count) }
              return { id: country, label, count, link }
            })
      }
      color={chartColors.green}
      empty={isUnknown ? t`The countries of these sign-ins are unknown.` : t`No one signed in during this period.`}
    />
  )
}
