import { useQuery } from '@tanstack/react-query'
import { Award, Printer } from 'lucide-react'
import { useState } from 'react'
import type {
  CertificatePage,
  GraduatesToCertify,
  ListedCertificate,
} from '#shared/certificates/certificates-response.ts'
import { currentAcademicYear } from '#shared/settings/settings.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { studentName } from '#shared/students/student-name.ts'
import { sectionLabel, semesterNames } from '#shared/terms/terms.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, SmallButton } from '#web/components/button.tsx'
import { CheckLine } from '#web/components/check-line.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { type Column, ListTable } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SelectField } from '#web/components/field.tsx'
import { Hint } from '#web/components/hint.tsx'
import { SearchFilter, SelectFilter } from '#web/components/list-filters.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi, reading } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { type ListAddress, useListAddress, usePage } from '#web/lib/list.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { readTerms } from '#web/lib/terms.ts'
import { CertificateActions } from './certificate-actions.tsx'
import {
  allYears,
  type CertificatesAddress,
  certificatesAddress,
  kindNames,
  mostLetters,
  type ShownState,
  stateBadges,
  usePrinting,
} from './data.tsx'
import { type Issued, IssueModal } from './issue-form.tsx'

const stateChoices: readonly { value: ShownState; label: string }[] = [
  { value: 'to issue', label: 'To issue' },
  { value: 'all', label: 'Issued' },
  { value: 'differs', label: 'Differs' },
  { value: 'unconfirmed', label: 'Not confirmed' },
  { value: 'revoked', label: 'Revoked' },
]

/** Beside the papers. */
export function CertificatesPane() {
  const { includes } = useAccount()
  const settings = useSettings()
  const today = useToday()
  const list = useListAddress(certificatesAddress, { page: 1 })
  const { values: read, show: go } = list
  const held = useQuery({
    queryKey: ['students', 'academic years'],
    queryFn: reading(api.students['academic-years'].$get, undefined),
  })
  // The list of the settings is in the order of the form, and has no earlier years.
  const newest = [...new Set([...settings.academicYears, ...(held.data?.items ?? [])])].sort().reverse()
  const isToIssue = read.show === 'to issue'
  const chosen = isToIssue && read.year === allYears ? '' : read.year
  const year = chosen || currentAcademicYear(settings, today) || newest[0] || ''
  const years = newest.includes(year) || year === allYears ? newest : [year, ...newest]
  const address = { ...read, year }
  const components = nstpComponents.filter(includes)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <SelectField
          name="certificates-year"
          label="Academic year"
          isLabelHidden
          density="compact"
          options={isToIssue ? years : [{ value: allYears, label: 'All years' }, ...years]}
          value={year}
          onChange={({ target }) => go({ year: target.value, inSection: null, inPaper: null })}
        />
        <ListFilters address={address} list={list} />
        {components.length > 1 && (
          <ChoiceButtons
            legend="NSTP Component"
            isLegendHidden
            choices={[
              { value: 'all', label: 'All' },
              ...components.map((value) => ({ value, label: value })),
            ]}
            selected={read.component}
            onSelect={(component) => go({ component, inSection: null, inPaper: null })}
          />
        )}
        <ChoiceButtons
          legend="State"
          isLegendHidden
          choices={stateChoices}
          selected={read.show}
          onSelect={(show) => go({ show, search: '' }, { replace: true })}
        />
      </div>
      {read.show === 'to issue' ? (
        <ToIssue address={address} list={list} />
      ) : (
        <IssuedOnes address={address} list={list} show={read.show} />
      )}
    </div>
  )
}

interface PartProps {
  /** The address has the year that the list shows, even where the page's own address has none. */
  address: CertificatesAddress
  list: ListAddress<CertificatesAddress>
}

/** The filters for the list of one year: a section of NSTP 2, or a paper that lists graduates. */
function ListFilters({ address: { year, component, inSection, inPaper }, list }: PartProps) {
  const isOfYear = year !== '' && year !== allYears
  const sections = useQuery({
    queryKey: ['terms', 'sections of year', year],
    enabled: isOfYear,
    async queryFn({ signal }) {
      const terms = (await readTerms(signal)).filter(({ academicYear }) => academicYear === year)
      const lists = await Promise.all(
        terms.map(async ({ id, semester }) => {
          const read = api.terms[':id'].sections.$get({ param: { id } }, { init: { signal } })
          return (await callApi(read)).items.map((section) => ({ ...section, semester }))
        }),
      )
      return lists.flat()
    },
  })
  const papers = useQuery({
    queryKey: ['papers', 'of year', year],
    enabled: isOfYear,
    queryFn: reading(api.papers.$get, { query: { year } }),
  })
  if (!isOfYear) return null
  const isShown = (one: NstpComponent) => component === 'all' || one === component
  const ofSections = (sections.data ?? [])
    .filter((section) => section.level === 2 && section.students > 0 && isShown(section.component))
    .map((section) => ({
      value: section.id,
      label: `${section.component} · ${sectionLabel(section)} · ${semesterNames[section.semester]}`,
    }))
  const ofPapers = (papers.data?.items ?? [])
    .filter((paper) => paper.graduates > 0 && paper.components.some(isShown))
    .map(({ id, title, state, answeredOn }) => ({
      value: id,
      label: [title, state, answeredOn && dateOf(answeredOn)].filter(Boolean).join(', '),
    }))
  return (
    <>
      {(ofSections.length > 0 || inSection !== null) && (
        <SelectFilter
          list={list}
          name="inSection"
          label="Section"
          isLabelHidden
          className=""
          options={[{ value: '', label: 'All sections' }, ...withChosen(ofSections, inSection)]}
        />
      )}
      {(ofPapers.length > 0 || inPaper !== null) && (
        <SelectFilter
          list={list}
          name="inPaper"
          label="Paper"
          isLabelHidden
          className=""
          options={[{ value: '', label: 'All papers' }, ...withChosen(ofPapers, inPaper)]}
        />
      )}
    </>
  )
}

/** Adds a chosen option that isn't listed or not read yet, so that another can be chosen. */
function withChosen(options: readonly { value: string; label: string }[], chosen: string | null) {
  const isListed = chosen === null || options.some(({ value }) => value === chosen)
  return isListed ? options : [...options, { value: chosen, label: 'Chosen before' }]
}

/** The part of a sentence that says of which list. */
function withinText({ inSection, inPaper }: CertificatesAddress): string {
  const parts = [inSection !== null && 'this section', inPaper !== null && 'this paper'].filter(Boolean)
  return parts.length > 0 ? ` in ${parts.join(' and ')}` : ''
}

const ofList = ({ inSection, inPaper }: CertificatesAddress) => ({
  ...(inSection !== null && { section: inSection }),
  ...(inPaper !== null && { paper: inPaper }),
})

function ToIssue({ address, list }: PartProps) {
  const { year, component, withoutSerial } = address
  const { print, papers } = usePrinting()
  const [issued, setIssued] = useState<Issued | null>(null)
  const query = usePage(
    ['certificates', 'graduates'],
    api.certificates.graduates.$get,
    {
      query: {
        ...ofList(address),
        academicYear: year,
        component,
        withoutSerial: withoutSerial ? 'true' : 'false',
      },
    },
    ['terms', 'students', 'papers'],
  )
  return (
    <>
      <LoadedPart query={query} what="the graduates" lines={6} className="h-11">
        {(graduates) => {
          const { items, total, blocked, shared } = graduates
          const [first] = items
          return (
            <>
              <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
                {first && (
                  <Button
                    size="sm"
                    icon={Award}
                    onClick={() =>
                      setIssued({
                        kind: 'completion',
                        academicYear: year,
                        withoutSerial,
                        students: items.map(({ id }) => id),
                        example: { ...first, academicYear: year },
                      })
                    }
                  >
                    {total > items.length
                      ? `Issue the first ${figureText(items.length)}…`
                      : `Issue ${countOf(items.length, 'certificate')}…`}
                  </Button>
                )}
                {graduates.withoutSerial > 0 && (
                  <CheckLine checked={withoutSerial} onChange={(also) => list.show({ withoutSerial: also })}>
                    Also {figureText(graduates.withoutSerial)} without a serial number
                  </CheckLine>
                )}
              </div>
              {shared > 0 && (
                <Hint>
                  {countOf(shared, 'graduate')} left out: another student has the same serial number. The
                  dashboard lists them under “Needs attention”.
                </Hint>
              )}
              {blocked > 0 && <Hint>{countOf(blocked, 'blocked record')} left out.</Hint>}
              {first ? (
                <GraduatesTable graduates={graduates} />
              ) : (
                <EmptyState
                  icon={Award}
                  title={`Nobody${withinText(address)} waits for a certificate of ${year}.`}
                >
                  Graduates passed NSTP 1 and NSTP 2, or had them credited, and have a serial number.
                </EmptyState>
              )}
            </>
          )
        }}
      </LoadedPart>
      <IssueModal issued={issued} onPrint={(batchId) => print({ batchId })} onClose={() => setIssued(null)} />
      {papers}
    </>
  )
}

function GraduatesTable({ graduates: { items, total } }: { graduates: GraduatesToCertify }) {
  return (
    <>
      <Hint>
        {countOf(total, 'graduate')} without a certificate
        {total > items.length && `, the first ${figureText(items.length)} here`}
      </Hint>
      <ListTable
        isDense
        caption="Graduates without a certificate"
        items={items}
        columns={[
          { head: 'No.', cell: (graduate) => items.indexOf(graduate) + 1 },
          { head: 'Name', cell: studentName },
          { head: 'Component', cell: ({ component }) => component },
          { head: 'Serial number', cell: ({ serialNumber }) => serialNumber || 'to follow' },
        ]}
      />
    </>
  )
}

function IssuedOnes({ address, show, list }: PartProps & { show: Exclude<ShownState, 'to issue'> }) {
  const { year, component, search, page } = address
  const { print, isPreparing, papers } = usePrinting()
  const query = usePage(
    ['certificates', 'list'],
    api.certificates.$get,
    {
      query: {
        ...ofList(address),
        ...{ academicYear: year, component, state: show, search, page: String(page) },
      },
    },
    ['students', 'papers'],
  )
  return (
    <>
      <SearchFilter
        list={list}
        id="certificates-search"
        isLabelHidden
        placeholder="Name, number or serial number"
        mostLetters={mostLetters}
        className="max-w-md"
      />
      <LoadedPart query={query} what="the certificates" lines={6} className="h-11">
        {(found) => {
          const valid = found.items.filter(isPrintable).map(({ id }) => id)
          return (
            <>
              {valid.length > 0 && (
                <div>
                  <SmallButton
                    icon={Printer}
                    aria-disabled={isPreparing}
                    onClick={() => !isPreparing && print({ ids: valid })}
                  >
                    Print these {figureText(valid.length)} again
                  </SmallButton>
                </div>
              )}
              <CertificatesTable found={found} onPrint={print} />
              <Pagination {...found} noun="certificate" to={(next) => list.to({ page: next })} />
            </>
          )
        }}
      </LoadedPart>
      {papers}
    </>
  )
}

const isPrintable = ({ state }: ListedCertificate) => state === 'issued' || state === 'differs'

interface CertificatesTableProps {
  found: CertificatePage
  onPrint: ReturnType<typeof usePrinting>['print']
}

function CertificatesTable({ found: { items }, onPrint }: CertificatesTableProps) {
  if (items.length === 0) return <EmptyState icon={Award} title="No certificate found." />
  return (
    <ListTable
      isDense
      caption="Certificates"
      items={items}
      columns={certificateColumns}
      menu={(certificate) => (
        <CertificateActions
          certificate={certificate}
          onPrint={(one) => onPrint({ ids: [one] })}
          onPrintBatch={(batchId) => onPrint({ batchId })}
        />
      )}
    />
  )
}

const certificateColumns: readonly Column<ListedCertificate>[] = [
  {
    head: 'Number',
    className: 'whitespace-nowrap',
    cell: ({ number, kind }) => (
      <>
        {number}
        {kind === 'certification' && <span className="block text-muted">{kindNames[kind]}</span>}
      </>
    ),
  },
  {
    head: 'Name',
    className: 'font-medium wrap-anywhere',
    cell: (certificate) => (certificate.state === 'erased' ? '–' : studentName(certificate)),
  },
  { head: 'Component', cell: ({ component }) => component },
  {
    head: 'Serial number',
    className: 'whitespace-nowrap',
    cell: ({ serialNumber }) => serialNumber || 'to follow',
  },
  { head: 'Issued', className: 'whitespace-nowrap', cell: ({ issuedOn }) => dateOf(issuedOn) },
  { head: 'Prints', value: ({ prints }) => prints },
  {
    head: 'State',
    cell: ({ state, revokeReason }) => (
      <>
        <Badge tone={stateBadges[state].tone}>{stateBadges[state].label}</Badge>
        {revokeReason && <span className="block text-muted">{revokeReason}</span>}
      </>
    ),
  },
]
