import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Send, Webhook as WebhookIcon } from 'lucide-react'
import { useCallback, useId } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useCreateButton } from '#web/list/use-create-button.tsx'
import { useDeletedEntry } from '#web/list/use-deleted-entry.tsx'
import { useListPage } from '#web/list/use-list-page.ts'
import type { App } from '#web/session/session.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { ActionsReason } from '#web/ui/actions-reason.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PlanReason } from '#features/plans/web/plan-reason.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { webhookColumns } from './webhooks-columns.tsx'
import { testWebhooks, type Webhook, webhookList } from './webhooks-data.ts'
import { moreMenu, StatusFacets, webhookDialogs, WebhookForm, webhookMenu } from './webhooks-menus.tsx'

const DeleteAllWebhooksDialog = lazyDialog(() => import('./webhooks-dialogs.tsx'), 'DeleteAllWebhooksDialog')
const ChatMessagesDialog = lazyDialog(() => import('./webhooks-dialogs.tsx'), 'ChatMessagesDialog')

/** Portuguese in all languages (WHK-3). */
const emptyTitle = <span lang="pt-BR">Nenhum webhook encontrado ainda.</span>

export function WebhooksPage() {
  const withoutApp = t`Choose an app at the top of the sidebar. Each app has its own webhooks.`
  return (
    <AppPage title={t`Webhooks`} withoutApp={withoutApp}>
      {(app) => <WebhooksTable app={app} />}
    </AppPage>
  )
}

function WebhooksTable({ app }: { app: App }) {
  const list = useListPage(webhookList)
  const { total, state } = list
  const { open, close } = list.dialog
  const missing = usePlanReason('webhooks')
  const create = useCreateButton(list.dialog, t`Add Webhook`, t`Webhooks`, missing)
  const testAll = useMutation({ mutationFn: () => testWebhooks() })
  const rowMenu = useCallback((row: Webhook) => webhookMenu(row, open, missing), [open, missing])
  const showDeleted = useDeletedEntry('webhook')
  const isEmpty = total === 0 && !state.isFiltered && list.rows !== undefined
  const none = isEmpty ? t`There are no webhooks to test` : undefined
  const reasonId = useId()
  const handlers = { onDone: list.finish, onClose: close }
  return (
    <>
      <PageHeader
        title={t`Webhooks`}
        actions={
          <>
            <MoreActions entries={() => [showDeleted(), ...moreMenu(isEmpty, open)]} />
            <Button
              icon={<Send />}
              busy={testAll.isPending}
              disabledReason={missing ?? none}
              aria-describedby={none && reasonId}
              onClick={() => testAll.mutate()}
            >{t`Test All`}</Button>
            {create}
          </>
        }
      />
      <PlanReason reason={missing} />
      <ActionsReason id={reasonId} reason={missing === undefined ? none : undefined} />
      <DataTable
        id="webhooks"
        label={t`Webhooks`}
        list={list}
        columns={useColumns(webhookColumns)}
        rowLabel={({ name, id }) => name || id}
        errorText={t`Failed to load webhooks`}
        searchPlaceholder={t`ID, name or URL`}
        facets={<StatusFacets state={state} counts={list.data?.counts} />}
        rowMenu={rowMenu}
        panelKind="webhook"
        empty={
          <EmptyState icon={<WebhookIcon />} title={emptyTitle} actions={create}>
            {t`No webhooks yet. A webhook is a URL of yours that this server calls: for your program, without showing it to customers, or automatically when an event occurs.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{
          create: () => <WebhookForm onClose={close} />,
          chat: () => list.data && <ChatMessagesDialog chat={list.data.chat} onClose={close} />,
          'delete-all': () => <DeleteAllWebhooksDialog appName={app.appName} {...handlers} />,
        }}
        row={webhookDialogs(handlers)}
        rowMissing={t`Webhook not found`}
      />
    </>
  )
}
