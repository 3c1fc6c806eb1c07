import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#web/api/call.ts'
import { accountKey, appKey } from '#web/api/query-keys.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { type PaletteFinderProps, PaletteGroup } from '#web/shell/palette-items.tsx'
import { useSettled } from '#web/shell/use-settled.ts'
import {
  LicenseItems,
  licenseLabel,
  ResellerItem,
  resellerLabel,
  TraceItems,
  traceLabel,
  traceOf,
  useGo,
  UserItems,
  userLabel,
} from './found-items.tsx'
import { elsewhereLabel, OtherAppItems, useFoundElsewhere } from './other-apps.tsx'
import { namedKey, pastedName } from './pasted-name.ts'

const shortestSearch = 3
/** Nothing has a longer name. */
const longestSearch = 200
/** Machines and addresses are found by complete values only. */
const isComplete = (text: string) => text.length >= 8 || /^[\d.]{7}$|:/.test(text)
/** Names are looked up in other apps if they may be keys. */
const isKey = (text: string) => text.length >= 8 && text.length <= longestSearch && /^[\x21-\x7e]+$/.test(text)
const shown = 4

/**
 * What a text names: licenses, users, machines, and IP addresses of the app, and resellers of the account; a license key
 * that the app doesn't have also in the other apps. Actions are offered for what it names exactly, and for a license
 * that is all that was found.
 */
export function PaletteFinder({ search, onFound, onClose }: PaletteFinderProps) {
  const asked = useSettled(search)
  const name = pastedName(asked)
  const { licenses, users, trace, resellers } = useFound(name)
  const go = useGo(onClose)
  // A customer who redeemed a key has the key as the name.
  const customers = users.data?.filter(({ username }) => !licenses.data?.some(({ license }) => license === username))
  const machine = trace.data && traceOf(trace.data)
  // What is named exactly comes before what only contains the name, such as the license of a customer.
  const found = licenses.data ?? []
  const key = namedKey(
    name,
    found.map(({ license }) => license),
  )
  const keys = found.map((license) => ({ named: license.license === key, license }))
  const people = (customers ?? []).map((user) => ({ named: user.username === name, user }))
  const sellers = (resellers.data ?? []).map((reseller) => ({ named: reseller.username === name, reseller }))
  const labels = [
    ...keys.map(({ named, license }) => ({ named, label: licenseLabel(license) })),
    ...(machine ? [{ named: false, label: traceLabel(machine) }] : []),
    ...people.map(({ named, user }) => ({ named, label: userLabel(user) })),
    ...sellers.map(({ named, reseller }) => ({ named, label: resellerLabel(reseller) })),
  ]
  const isLoaded = ![licenses, users, trace, resellers].some(({ isFetching }) => isFetching)
  const isOnly = isLoaded && labels.length === 1
  const elsewhere = useFoundElsewhere(name, isLoaded && labels.length === 0 && isKey(name)).data ?? []
  labels.push(...elsewhere.map((license) => ({ named: true, label: elsewhereLabel(license) })))
  const first = (labels.find(({ named }) => named) ?? labels[0])?.label
  const isSettled = search === asked && isLoaded
  useEffect(() => {
    if (isSettled && first !== undefined) onFound(first)
  }, [isSettled, first, onFound])
  if (search !== asked) return null
  const ofApp = [
    ...keys.map(({ named, license }) => ({
      named,
      item: <LicenseItems key={license.license} withActions={named || isOnly} {...{ license, search, go }} />,
    })),
    ...(machine ? [{ named: false, item: <TraceItems key="trace" {...{ ...machine, search, go }} /> }] : []),
    ...people.map(({ named, user }) => ({
      named,
      item: <UserItems key={user.username} withActions={named} {...{ user, search, go }} />,
    })),
  ].toSorted(namedFirst)
  const groups = [
    { named: ofApp.some(({ named }) => named), heading: t`Found in this app`, items: ofApp.map(({ item }) => item) },
    {
      named: sellers.some(({ named }) => named),
      heading: t`Resellers`,
      items: sellers
        .toSorted(namedFirst)
        .map(({ named, reseller }) => (
          <ResellerItem key={reseller.username} withActions={named} {...{ reseller, search, go }} />
        )),
    },
  ].toSorted(namedFirst)
  return (
    <>
      {elsewhere.length > 0 && <OtherAppItems found={elsewhere} {...{ search, onClose }} />}
      {groups.map(
        ({ heading, items }) =>
          items.length > 0 && (
            <PaletteGroup key={heading} heading={heading}>
              {items}
            </PaletteGroup>
          ),
      )}
    </>
  )
}

const namedFirst = (one: { named: boolean }, other: { named: boolean }) => Number(other.named) - Number(one.named)

/** What a text names, each kind as soon as it is there. */
function useFound(asked: string) {
  const app = useSelectedApp()
  const query = { search: asked, page: 1, limit: shown }
  const isName = asked.length >= shortestSearch && asked.length <= longestSearch
  const options = { enabled: app !== undefined && isName, staleTime: 0, gcTime: 0, retry: false }
  const licenses = useQuery({
    queryKey: appKey('palette', 'licenses', asked),
    queryFn: async ({ signal }) => (await call('GET /licenses', { query, signal })).licenses,
    ...options,
  })
  const users = useQuery({
    queryKey: appKey('palette', 'users', asked),
    queryFn: async ({ signal }) => (await call('GET /users', { query, signal })).users,
    ...options,
  })
  const trace = useQuery({
    queryKey: appKey('palette', 'trace', asked),
    queryFn: ({ signal }) => call('GET /diagnosis', { query: { search: asked }, signal }),
    ...options,
    enabled: options.enabled && isComplete(asked),
  })
  const resellers = useQuery({
    queryKey: accountKey('resellers', 'palette', asked),
    queryFn: async ({ signal }) => (await call('GET /resellers', { query, signal })).resellers,
    ...options,
    enabled: isName,
  })
  return { licenses, users, trace, resellers }
}
