import { ageOn, type CalendarDate, calendarDateOf } from '#shared/program-calendar.ts'
import { componentNames } from '#shared/students/student-choices.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useSettings } from '#web/lib/settings.tsx'
import {
  addressFields,
  Certification,
  emergencyFields,
  enlistmentFields,
  FieldTable,
  familyColumns,
  guardianFields,
  heightField,
  nameFields,
  parentRows,
  RowTable,
  type SheetField,
  SheetHeader,
  SheetNote,
  SheetSection,
  SheetSubsection,
  schoolColumns,
  schoolRows,
  signatureName,
  textField,
  weightField,
  writtenDate,
} from './sheet-parts.tsx'

interface RotcSheetProps {
  student: StudentRecord | null
  /** Default: today in the program's time zone. */
  today?: CalendarDate
}

/**
 * The Reservist Information Data Sheet (RIDS). Rank, units and the tables of the service record
 * are left blank, to be completed by hand.
 */
export function RotcSheet({ student, today }: RotcSheetProps) {
  const timeZone = useProgramTimeZone()
  const { rotcOfficeAddress } = useSettings()
  if (student === null) return <p>No student data available for ROTC form.</p>
  return (
    <article className="sheet" data-sheet="rotc" aria-label="Reservist Information Data Sheet">
      <div className="sheet-page">
        <SheetHeader
          headerLines={[
            'Armed Forces of the Philippines',
            'Reserve Command, Philippine Army',
            'Department of Military Science and Tactics · ROTC Unit',
          ]}
          address={rotcOfficeAddress}
          title="Reservist Information Data Sheet"
        />
        <SheetNote>Reference {student.reference}. Complete blank fields in ink.</SheetNote>
        <PersonnelBlock student={student} />
        <PersonalBlock student={student} today={today ?? calendarDateOf(new Date(), timeZone)} />
        <SheetSection title="NSTP enlistment">
          <FieldTable rows={enlistmentFields(student, timeZone)} />
        </SheetSection>
        <SheetSection title="Family and person to notify in an emergency">
          <RowTable columns={familyColumns} rows={parentRows(student)} />
          <FieldTable rows={guardianFields(student)} />
          <SheetSubsection title="In case of emergency, notify">
            <FieldTable rows={emergencyFields(student)} />
          </SheetSubsection>
        </SheetSection>
        <SheetSection title="Highest educational attainment">
          <RowTable columns={schoolColumns} rows={schoolRows(student)} />
        </SheetSection>
      </div>
      <div className="sheet-page">
        <SheetSection title="Occupation and skills">
          <FieldTable
            rows={[
              [
                { label: 'Present occupation', width: 6 },
                { label: 'Company name and address', width: 6 },
              ],
              [textField('Work experience', 12, student.workExperience)],
              [textField('Special skills', 6, student.skills), textField('Hobbies', 6, student.hobbies)],
            ]}
          />
        </SheetSection>
        <ServiceRecord />
        <Certification name={signatureName(student)}>
          I certify that the entries on this sheet are true and correct to the best of my knowledge. I will
          notify the office of any changes. I understand that false information is a ground for disciplinary
          action, and I consent to the processing of this information under Republic Act No. 10173, the Data
          Privacy Act of 2012.
        </Certification>
      </div>
    </article>
  )
}

function PersonnelBlock({ student }: { student: StudentRecord }) {
  return (
    <SheetSection title="Personnel information">
      <FieldTable
        rows={[
          [
            { label: 'Rank', width: 3 },
            { label: 'AFPSN', width: 3 },
            { label: 'Branch of service', width: 3 },
            { label: 'AFPOS / MOS', width: 3 },
          ],
          nameFields(student),
          [
            { label: 'Source of commission / enlistment', width: 4 },
            { label: 'Reserve classification', width: 4 },
            { label: 'Unit', width: 4 },
          ],
          [
            { label: 'Mobilization center', width: 4 },
            { label: 'Size of combat shoes', width: 3 },
            { label: 'Size of cap', width: 2 },
            { label: 'Size of uniform', width: 3 },
          ],
        ]}
      />
    </SheetSection>
  )
}

function PersonalBlock({ student, today }: { student: StudentRecord; today: CalendarDate }) {
  return (
    <SheetSection title="Personal information">
      <FieldTable
        rows={[
          addressFields(student),
          [
            { label: 'Telephone', width: 3 },
            { label: 'Mobile', width: 3, value: student.contactNumber },
            { label: 'E-mail', width: 6, value: student.email },
          ],
          [
            { label: 'Date of birth', width: 3, value: writtenDate(student.dateOfBirth) },
            { label: 'Age', width: 1, value: ageOn(today, student.dateOfBirth) },
            { label: 'Place of birth', width: 6, value: student.placeOfBirth },
            { label: 'Sex', width: 2, value: student.sex },
          ],
          [
            { label: 'Citizenship', width: 4, value: student.citizenship },
            { label: 'Religion', width: 4, value: student.religion },
            { label: 'Language / dialect', width: 4 },
          ],
          [
            { label: 'TIN', width: 4 },
            { label: 'SSS number', width: 4, value: student.socialSecurityNumber },
            { label: 'PhilHealth number', width: 4 },
          ],
          [
            heightField(student),
            weightField(student),
            { label: 'Blood type', width: 2, value: student.bloodType },
            maritalStatus(student.civilStatus),
          ],
        ]}
      />
    </SheetSection>
  )
}

const maritalStatuses = ['Single', 'Married', 'Widow', 'Separated'] as const

/** The sheet's four statuses as boxes. It has none for Divorced: the nearest is ticked, with a remark. */
function maritalStatus(civilStatus: string): SheetField {
  const nearest = { Widowed: 'Widow', Divorced: 'Separated' }[civilStatus] ?? civilStatus
  return {
    label: 'Marital status',
    width: 6,
    value: (
      <span className="sheet-choices">
        {maritalStatuses.map((status) => (
          <span key={status} className="sheet-choice">
            {status === nearest ? '☒' : '☐'} {status}
            {status === nearest && civilStatus === 'Divorced' ? ' (Divorced)' : null}
          </span>
        ))}
      </span>
    ),
  }
}

function ServiceRecord() {
  return (
    <SheetSection title="Service record">
      <div className="sheet-pair">
        <SheetSubsection title="Promotion / demotion">
          <RowTable columns={['Rank', 'Date of rank', 'Authority']} blankRows={3} />
        </SheetSubsection>
        <SheetSubsection title="Awards and decorations">
          <RowTable columns={['Award', 'Authority', 'Date awarded']} blankRows={3} />
        </SheetSubsection>
      </div>
      <SheetSubsection title="Military training, seminars and schooling">
        <RowTable columns={['Training', 'School', 'Date graduated']} blankRows={3} />
      </SheetSubsection>
      <SheetSubsection title="Dependents">
        <RowTable columns={['Relation', 'Name', 'Date of birth']} blankRows={3} />
      </SheetSubsection>
      <SheetSubsection title="CAD / OJT / ADT">
        <RowTable columns={['Unit', 'Purpose and authority', 'From', 'To']} blankRows={3} />
      </SheetSubsection>
      <div className="sheet-pair">
        <SheetSubsection title="Unit assignment">
          <RowTable columns={['Unit', 'Authority', 'From', 'To']} blankRows={3} />
        </SheetSubsection>
        <SheetSubsection title="Designation">
          <RowTable columns={['Position', 'Authority', 'From', 'To']} blankRows={3} />
        </SheetSubsection>
      </div>
    </SheetSection>
  )
}

/** The Student Information Data Sheet of the civic welfare component. */
export function CwtsSheet({ student }: { student: StudentRecord | null }) {
  const timeZone = useProgramTimeZone()
  if (student === null) return <p>No student data available for CWTS form.</p>
  return (
    <article className="sheet" data-sheet="cwts" aria-label="Student Information Data Sheet">
      <div className="sheet-page">
        <SheetHeader
          headerLines={[
            'Republic of the Philippines',
            'National Service Training Program',
            componentNames.CWTS,
          ]}
          title="Student Information Data Sheet"
        />
        <SheetNote>Reference {student.reference}.</SheetNote>
        <SheetSection title="Student">
          <FieldTable
            rows={[
              nameFields(student),
              addressFields(student),
              [
                { label: 'Contact number', width: 3, value: student.contactNumber },
                { label: 'E-mail', width: 6, value: student.email },
                { label: 'Social security number', width: 3, value: student.socialSecurityNumber },
              ],
            ]}
          />
        </SheetSection>
        <SheetSection title="Personal data">
          <FieldTable
            rows={[
              [
                { label: 'Date of birth', width: 3, value: writtenDate(student.dateOfBirth) },
                { label: 'Place of birth', width: 5, value: student.placeOfBirth },
                { label: 'Sex', width: 2, value: student.sex },
                { label: 'Civil status', width: 2, value: student.civilStatus },
              ],
              [
                { label: 'Citizenship', width: 3, value: student.citizenship },
                { label: 'Religion', width: 3, value: student.religion },
                heightField(student),
                weightField(student),
                { label: 'Blood type', width: 2, value: student.bloodType },
              ],
            ]}
          />
        </SheetSection>
        <SheetSection title="NSTP enlistment">
          <FieldTable rows={enlistmentFields(student, timeZone)} />
        </SheetSection>
        <SheetSection title="In case of emergency, notify">
          <FieldTable rows={emergencyFields(student)} />
        </SheetSection>
      </div>
      <div className="sheet-page">
        <SheetSection title="Parents and guardian">
          <RowTable columns={familyColumns} rows={parentRows(student)} />
          <FieldTable rows={guardianFields(student)} />
        </SheetSection>
        <SheetSection title="Educational background">
          <RowTable columns={schoolColumns} rows={schoolRows(student)} />
        </SheetSection>
        <SheetSection title="Experience, skills and hobbies">
          <FieldTable
            rows={[
              [textField('Work experience', 12, student.workExperience)],
              [textField('Skills', 6, student.skills), textField('Hobbies', 6, student.hobbies)],
            ]}
          />
        </SheetSection>
        <Certification name={signatureName(student)}>
          I certify that the information on this sheet is true and correct to the best of my knowledge. I
          consent to its processing for my NSTP enlistment under Republic Act No. 10173, the Data Privacy Act
          of 2012. I will notify the office of any changes.
        </Certification>
      </div>
    </article>
  )
}
