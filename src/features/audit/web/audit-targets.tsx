import { t } from '@lingui/core/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { failureText } from '#web/api/errors.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { type AuditEntry, auditTargetsQuery } from './audit-data.ts'
import { targetSubject, useSelectedAppId } from './panel-names.tsx'

/** The targets of a bulk action, page by page. */
export function AuditTargets({ entry, isPlatform }: { entry: AuditEntry; isPlatform: boolean }) {
  const { id } = entry
  const appId = useSelectedAppId()
  const [page, setPage] = useState(1)
  const { data, error } = useQuery({
    ...auditTargetsQuery(id, { page, isPlatform }),
    placeholderData: keepPreviousData,
  })
  if (error) return <p className="text-ui text-danger">{failureText(error, t`Failed to load the targets`)}</p>
  if (!data) return <p className="text-ui text-text-3">{t`Loading…`}</p>
  const { targets, totalPages } = data
  return (
    <section aria-label={t`Targets`}>
      <h3 className="mb-1 text-ui font-semibold">{t`Targets`}</h3>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-ui">
        {targets.map((target) => {
          const subject = isPlatform ? undefined : targetSubject({ ...entry, target }, appId)
          return (
            <li key={target} className="max-w-full">
              {subject ? (
                <PanelLink {...subject}>{target}</PanelLink>
              ) : (
                <MachineText value={target} className="break-all" />
              )}
            </li>
          )
        })}
      </ul>
      {totalPages > 1 && (
        <div className="mt-2 flex items-center gap-2 text-ui text-text-2">
          <IconButton
            size="sm"
            label={t`Previous page`}
            icon={<ChevronLeft />}
            disabled={page <= 1}
            onClick={() => setPage(page - 1)}
          />
          <span>{t`Page ${page} of ${totalPages}`}</span>
          <IconButton
            size="sm"
            label={t`Next page`}
            icon={<ChevronRight />}
            disabled={page >= totalPages}
            onClick={() => setPage(page + 1)}
          />
        </div>
      )}
    </section>
  )
}
