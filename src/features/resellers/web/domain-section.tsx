import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { RotateCw, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { DeleteDialog } from '#web/bulk/delete-dialog.tsx'
import { notify } from '#web/browser/notify.ts'
import { queryClient } from '#web/api/query-client.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { LeaveQuestion } from '#web/ui/leave-question.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { PlanLink } from '#features/plans/web/plan-link.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { Moment } from '#web/ui/time-ago.tsx'
import { dateTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { submitting } from '#web/form/submitting.ts'
import { Notice } from '#web/ui/notice.tsx'
import {
  defaultPrimaryColor,
  defaultSecondaryColor,
  domainKey,
  domainProblem,
  isColor,
  recordLossSeconds,
} from '../resellers.rules.ts'
import { BrandingPreview } from './branding-preview.tsx'
import { domainQuery, type ResellerDomain } from './resellers-data.ts'

/** The reseller's custom domain and branding. */
export function DomainSection({ resellerId }: { resellerId: string }) {
  const { data, error, refetch } = useQuery(domainQuery(resellerId))
  const isLate = useDelayed(data === undefined)
  return (
    <Card>
      {data !== undefined ? (
        // Adding or removing the domain resets the form; verifying it does not.
        <DomainForm key={String(data === null)} resellerId={resellerId} domain={data} />
      ) : (
        <Section title={t`Custom domain`}>
          {error ? (
            <div role="alert" className="flex flex-wrap items-center gap-3 text-ui text-danger">
              {failureText(error, t`Failed to load the domain`)}
              <Button size="sm" onClick={() => void refetch()}>{t`Retry`}</Button>
            </div>
          ) : (
            isLate && <Skeleton className="h-24 w-full" />
          )}
        </Section>
      )}
    </Card>
  )
}

const refresh = (resellerId: string) => queryClient.invalidateQueries(domainQuery(resellerId))

function useDomainForm(id: string, domain: ResellerDomain | null) {
  return useSaveForm({
    start: {
      domain: domain?.domain ?? '',
      companyName: domain?.companyName ?? '',
      logoUrl: domain?.logoUrl ?? '',
      primaryColor: domain?.primaryColor ?? defaultPrimaryColor,
      secondaryColor: domain?.secondaryColor ?? defaultSecondaryColor,
    },
    isNew: domain === null,
    toBody: (values) => ({
      ...values,
      domain: domainKey(values.domain),
      companyName: values.companyName.trim(),
      logoUrl: values.logoUrl.trim(),
    }),
    problems: (values) => {
      const problem = domainProblem(values)
      return problem?.field ? { [problem.field]: problem } : {}
    },
    send: ({ body, before }) =>
      call('POST /resellers/{id}/domain', {
        params: { id },
        body: { ...body, ...(domain && { before }) },
      }),
    failure: t`Failed to save domain configuration`,
    onFailed: (text) => notify.error(text),
    onSaved: async (reply) => {
      queryClient.setQueryData(domainQuery(id).queryKey, reply.domain)
      notify.success(successText(reply))
      await refresh(id)
    },
  })
}

function DomainForm({ resellerId: id, domain }: { resellerId: string; domain: ResellerDomain | null }) {
  const [asks, setAsks] = useState(false)
  const missing = usePlanReason('custom_branding')
  const form = useDomainForm(id, domain)
  const { values } = form
  const { formRef, onSubmit, busy } = form.dialog
  return (
    <>
      <form ref={formRef} noValidate onSubmit={submitting(onSubmit)}>
        <Section
          title={t`Custom domain`}
          description={t`Give the reseller's area its own name and colors.`}
          actions={domain && <DomainBadge domain={domain} />}
        >
          {domain && <DomainNotice domain={domain} />}
          <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
            <div className="flex flex-col gap-4">
              <TextField
                label={t`Domain`}
                required
                mono
                placeholder="keys.example.com"
                spellCheck={false}
                autoCapitalize="none"
                {...form.field('domain')}
              />
              <TextField label={t`Company name`} maxLength={100} {...form.field('companyName')} />
              <TextField label={t`Logo URL`} mono placeholder="https://" {...form.field('logoUrl')} />
              <ColorField label={t`Primary color`} {...form.field('primaryColor')} />
              <ColorField label={t`Secondary color`} {...form.field('secondaryColor')} />
            </div>
            <div>
              <h3 className="mb-2 text-ui font-medium">{t`Preview`}</h3>
              <BrandingPreview
                companyName={values.companyName}
                logoUrl={values.logoUrl}
                primaryColor={isColor(values.primaryColor) ? values.primaryColor : defaultPrimaryColor}
                secondaryColor={isColor(values.secondaryColor) ? values.secondaryColor : defaultSecondaryColor}
              />
            </div>
          </div>
          {domain && <DnsRecords resellerId={id} domain={domain} />}
          <div className="flex flex-wrap items-center justify-end gap-2.5">
            {missing && (
              <p className="mr-auto min-w-0 flex-1 basis-60 text-ui text-text-2">
                {missing} <PlanLink />
              </p>
            )}
            {domain && (
              <Button variant="danger" icon={<Trash2 />} onClick={() => setAsks(true)}>{t`Delete domain`}</Button>
            )}
            <Button
              type="submit"
              variant="primary"
              icon={<Save />}
              busy={busy}
              {...(missing && { disabledReason: missing })}
            >{t`Save domain`}</Button>
          </div>
        </Section>
      </form>
      <LeaveQuestion hasEdits={() => form.dialog.isDirty} isSaving={busy} changes={t`Custom domain`} />
      {asks && domain && (
        <DeleteDialog
          title={t`Delete ${domain.domain}?`}
          impact={t`The reseller's area uses the platform's own name again.`}
          confirmLabel={t`Delete domain`}
          send={() => call('DELETE /resellers/{id}/domain', { params: { id } })}
          refresh={() => refresh(id)}
          failure={t`Failed to delete domain`}
          onDone={() => setAsks(false)}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}

const DomainBadge = ({ domain: { proved } }: { domain: ResellerDomain }) =>
  proved ? (
    <Badge tone="ok" dot="filled">{t`Verified`}</Badge>
  ) : (
    <Badge tone="warn" dot="ring">{t`Not verified yet`}</Badge>
  )

/** Shows since when the record is missing and the deadline to restore it, or when the domain lost its verification. */
function DomainNotice({ domain: { recordMissingSince: since, lostAt } }: { domain: ResellerDomain }) {
  if (since === null && lostAt === null) return null
  return (
    <Notice tone="danger">
      {since !== null ? (
        <Trans>
          The TXT record has been missing since <DateTime at={since} />. If it is not restored by{' '}
          <DateTime at={since + recordLossSeconds} />, the domain is no longer verified.
        </Trans>
      ) : (
        <Trans>
          Not verified since <DateTime at={lostAt ?? 0} />: the TXT record was missing. Create it again and check.
        </Trans>
      )}
    </Notice>
  )
}

function DateTime({ at }: { at: number }) {
  return <Moment at={at}>{dateTimeText(at, useTimeZone())}</Moment>
}

interface ColorFieldProps {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** Text field with a swatch that opens the browser's color picker. */
const ColorField = ({ label, value, onChange, ...field }: ColorFieldProps) => (
  <TextField
    label={label}
    mono
    short
    maxLength={7}
    spellCheck={false}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    suffix={
      <input
        type="color"
        aria-label={t`Pick a color: ${label}`}
        value={isColor(value) ? value.toLowerCase() : '#000000'}
        onChange={(event) => onChange(event.target.value)}
        className="size-8 cursor-pointer rounded-md border border-line-strong bg-field p-0.5 pointer-coarse:size-11"
      />
    }
    {...field}
  />
)

/** The records to create at the DNS provider, and whether they were found. */
function DnsRecords({ resellerId: id, domain }: { resellerId: string; domain: ResellerDomain }) {
  const check = useMutation({
    mutationFn: () => call('POST /resellers/{id}/domain/check', { params: { id } }),
    onSuccess: (reply) => {
      queryClient.setQueryData(domainQuery(id).queryKey, reply.domain)
      notify.success(successText(reply))
    },
  })
  return (
    <div>
      <h3 className="mb-1 text-ui font-medium">{t`DNS records`}</h3>
      <p className="mb-2 text-meta text-text-2">
        {t`Create both records with your DNS provider. The CNAME record points to this server; the TXT record proves that you own the domain.`}
      </p>
      {!domain.cnameTarget && (
        <Notice tone="danger">
          {t`This server has no public host name that a CNAME record can lead to. Set PUBLIC_URL on the server, for example https://your.host, and restart it.`}
        </Notice>
      )}
      <ul className="ruled rounded-md border border-line">
        {domain.cnameTarget && <DnsRecord type="CNAME" name={domain.domain} value={domain.cnameTarget} />}
        <DnsRecord type="TXT" name={domain.record.name} value={domain.record.value} />
      </ul>
      <div className="mt-2.5 flex flex-wrap items-center gap-3">
        <Button icon={<RotateCw />} busy={check.isPending} onClick={() => check.mutate()}>{t`Check now`}</Button>
        <span role="status" className="text-ui text-danger">
          {check.error && failureText(check.error, t`Failed to check the domain`)}
        </span>
      </div>
    </div>
  )
}

const DnsRecord = ({ type, name, value }: { type: string; name: string; value: string }) => (
  <li className="grid gap-x-4 gap-y-1 px-3 py-2 text-ui sm:grid-cols-[64px_minmax(0,1fr)_minmax(0,1fr)]">
    <span translate="no" className="machine self-center text-text-2">
      {type}
    </span>
    <span className="flex min-w-0 items-center gap-1">
      <MachineText value={name} className="break-all" />
      <CopyButton text={name} label={t`Copy the name of the ${type} record`} />
    </span>
    <span className="flex min-w-0 items-center gap-1">
      <MachineText value={value} className="break-all" />
      <CopyButton text={value} label={t`Copy the value of the ${type} record`} />
    </span>
  </li>
)
