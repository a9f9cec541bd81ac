import type { StudentRecord } from '#shared/student.ts'
import { componentNames } from '#shared/student-choices.ts'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import {
  addressFields,
  emergencyFields,
  enlistmentFields,
  familyColumns,
  guardianFields,
  heightField,
  nameFields,
  parentRows,
  schoolColumns,
  schoolRows,
  textField,
  weightField,
} from './sheet-fields.tsx'
import { Certification, FieldTable, RowTable, SheetHeader, SheetNote, SheetSection } from './sheet-parts.tsx'
import { signatureName, writtenDate } from './sheet-text.ts'

/** The Student Information Data Sheet of the civic welfare component: the whole record, to sign and file. */
export function CwtsSheet({ student }: { student: StudentRecord | null }) {
  const timeZone = useProgramTimeZone()
  if (student === null) return <p>No student data available for CWTS form.</p>
  return (
    <article className="sheet" data-sheet="cwts" aria-label="Student Information Data Sheet">
      <div className="sheet-page">
        <SheetHeader
          offices={['Republic of the Philippines', 'National Service Training Program', componentNames.CWTS]}
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
          agree that the NSTP office keeps it for my enlistment under Republic Act No. 10173, the Data Privacy
          Act of 2012, and I shall tell the office when it changes.
        </Certification>
      </div>
    </article>
  )
}
