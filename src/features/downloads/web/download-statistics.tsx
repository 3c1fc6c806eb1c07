import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { callQuery } from '#web/api/call-query.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { appKey } from '#web/api/query-keys.ts'
import { useStore } from '#web/browser/store.ts'
import { countryText } from '#web/ui/country-text.ts'
import { localeStore } from '#web/browser/locale.ts'
import { Notice } from '#web/ui/notice.tsx'
import { StatStrip } from '#web/ui/stat-strip.tsx'
import type { Download } from './downloads-data.ts'

/** Of the downloads of a file: all-time counts, and the countries of the last 90 days. */
export const useStatistics = ({ downloadId }: Download) =>
  useQuery(
    callQuery(appKey('downloads', 'stats', downloadId), 'GET /downloads/file/{name}/stats', {
      params: { name: downloadId },
    }),
  )

type Reply = CallReply<'GET /downloads/file/{name}/stats'>

/** Without numbers until the data is there. */
export function useCounts(data: Reply | undefined) {
  const locale = useStore(localeStore)
  const number = (value: number | undefined) => value?.toLocaleString(locale)
  const stats = data?.stats
  return [
    { label: t`Total`, value: number(stats?.total_downloads) },
    { label: t({ message: 'Authenticated', context: 'downloads' }), value: number(stats?.authenticated_downloads) },
    { label: t`Anonymous`, value: number(stats?.anonymous_downloads) },
    { label: t`Unique IPs`, value: number(stats?.unique_ips) },
  ]
}

export const Statistics = ({ data }: { data: Reply | undefined }) => (
  <>
    <StatStrip label={t`Downloads`} stats={useCounts(data)} />
    <CountryData data={data} />
  </>
)

export function CountryData({ data }: { data: Reply | undefined }) {
  const locale = useStore(localeStore)
  if (!data) return null
  return (
    <>
      {data.countryData !== 'present' && (
        <Notice>
          {data.countryData === 'absent'
            ? t`The server has no country data, so countries are unknown.`
            : t`The server's country data is older than 90 days.`}
        </Notice>
      )}
      <Countries countries={data.stats.countries} locale={locale} />
    </>
  )
}

function Countries({ countries, locale }: { countries: Record<string, number>; locale: string }) {
  const rows = Object.entries(countries)
  if (rows.length === 0) return <p className="py-3 text-ui text-text-2">{t`No downloads yet.`}</p>
  return (
    <table className="mt-3 w-full text-ui">
      <caption className="pb-2 text-left font-semibold">{t`Downloads by Country`}</caption>
      <thead>
        <tr className="text-meta text-text-2">
          <th scope="col" className="py-1 text-left font-medium">{t`Country`}</th>
          <th scope="col" className="py-1 text-right font-medium">{t`Downloads`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([code, count]) => (
          <tr key={code} className="border-t border-line">
            <td className="py-1.5">{code === '' ? t`Unknown` : countryText(code)}</td>
            <td className="py-1.5 text-right tabular-nums">{count.toLocaleString(locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
