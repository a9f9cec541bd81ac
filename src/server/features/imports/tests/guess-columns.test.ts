import { describe, expect, test } from 'vitest'
import { importFieldLabel, importFields } from '#shared/imports/imports.ts'
import { findHeader, guessColumns, guessField } from '../column-guess.ts'

test('every field is recognized by its label and by its name', () => {
  for (const field of importFields.filter((name) => name !== 'program')) {
    expect([guessField(importFieldLabel(field)), guessField(field)]).toEqual([field, field])
  }
})

test.each([
  ['Surname', 'lastName'],
  ['FAMILY NAME', 'lastName'],
  ['Given Name(s)', 'firstName'],
  ['M.I.', 'middleName'],
  ['Birthdate', 'dateOfBirth'],
  ['Date of Birth (mm/dd/yyyy)', 'dateOfBirth'],
  ['Gender', 'sex'],
  ['Mobile No.', 'contactNumber'],
  ['Cellphone #', 'contactNumber'],
  ['E-mail Address', 'email'],
  ['School/Department', 'course'],
  ['Program', 'course'],
  ['Student No.', 'studentId'],
  ['S.Y.', 'academicYear'],
  ['Year & Level', 'yearLevel'],
  ['Year Level', 'yearLevel'],
  ["Mother's Maiden Name", 'motherName'],
  ['Contact Person in Case of Emergency', 'emergencyContactName'],
  ['Emergency Contact No.', 'emergencyContactNumber'],
  ['Component *', 'nstpComponent'],
  ['Timestamp', 'registrationDate'],
  ['Problem', null],
  ['Reference', 'reference'],
  ['', null],
])('%s → %s', (header, field) => {
  expect(guessField(header)).toBe(field)
})

// Headings of other systems, written by hand beside the product's list: what belongs to which field.
test.each([
  ['studentId', 'SR Code; Learner ID; USN; Stud ID; ID Number; School ID; Student Code; Stud. Number'],
  ['serialNumber', 'NSTP Serial Number; Serial; NSTP No.; Serial Code'],
  ['lastName', 'Last; LName; Apelyido; Student Last Name'],
  ['firstName', 'First; FName; Pangalan; Given Names'],
  ['middleName', 'Middle; MName; Middle Initial; Maiden Name'],
  ['extensionName', 'Suffix; Name Extension; Ext.; Jr/Sr'],
  ['fullName', 'Name; Complete Name; Student Name; Name of Student; Last Name, First Name, M.I.'],
  ['address', 'Home Address; Permanent Address; Present Address; Street; Residence; Tirahan'],
  ['barangay', 'Brgy.; Bgy'],
  ['municipalCity', 'City/Municipality; Town; Municipality or City'],
  ['province', 'Home Province; Probinsya'],
  ['zipCode', 'ZIP; Postal Code; Post Code'],
  ['socialSecurityNumber', 'SSS; SSS Number; SSN; Social Security'],
  ['dateOfBirth', 'DOB; D.O.B.; Birthday; Bday; Kaarawan; Birth Date'],
  ['placeOfBirth', 'Birthplace; POB; Born in'],
  ['sex', 'Gender; Sex at Birth; M/F; Kasarian'],
  ['civilStatus', 'Marital Status; Civil Stat'],
  ['contactNumber', 'CP No.; Cell; Telephone; Tel. No.; Mobile Phone; Contact Details'],
  ['email', 'E-mail; Email Add; Gmail; Student Email'],
  ['citizenship', 'Nationality; Citizen'],
  ['religion', 'Religious Affiliation; Faith'],
  ['height', 'Ht; Height (cm); Height (ft)'],
  ['weight', 'Wt; Weight (kg); Weight (lbs)'],
  ['bloodType', 'Blood; Blood Group'],
  ['course', 'Degree; Department; Dept.; Kurso; College/Course'],
  ['yearLevel', 'Yr.; Yr. Level; Grade Level; Curriculum Year'],
  ['academicYear', 'School Year; A.Y.; SY; Acad. Year; NSTP Graduation Year'],
  ['fatherName', "Father; Name of Father; Father's Full Name"],
  ['fatherOccupation', "Father's Occupation; Occupation of Father; Father's Work"],
  ['motherName', "Mother; Name of Mother; Mother's Maiden Name"],
  ['motherOccupation', "Mother's Occupation; Occupation of Mother"],
  ['guardianName', "Guardian; Guardian's Name; Parent/Guardian"],
  ['guardianRelationship', 'Relationship with Guardian; Relation to Guardian'],
  ['guardianAddress', "Guardian's Address; Address of Guardian"],
  ['guardianContactNumber', 'Guardian Mobile Number; Contact Number of Guardian'],
  ['elementarySchool', 'Elementary; Grade School; Primary School'],
  ['elementaryYearGraduated', 'Elementary Year; Year Graduated (Elementary School)'],
  ['highSchool', 'Secondary; Senior High School; SHS; Last School Attended'],
  ['highSchoolYearGraduated', 'High School Year; Year Graduated (Secondary)'],
  ['college', 'University; Tertiary; College/University'],
  ['collegeYearGraduated', 'College Year; Year Graduated (Tertiary)'],
  ['workExperience', 'Work; Employment; Job Experience'],
  ['skills', 'Special Skills; Talents'],
  ['hobbies', 'Hobby; Interests'],
  ['emergencyContactName', 'Contact Person; In Case of Emergency; Person to Contact; Emergency Name'],
  ['emergencyContactNumber', 'Emergency Phone; Contact Person Number; Emergency Mobile Number'],
  ['emergencyContactAddress', 'Emergency Address; Contact Person Address'],
  ['nstpComponent', 'NSTP; NSTP Program; ROTC/CWTS/LTS; NSTP Class'],
  ['registrationDate', 'Date Registered; Date of Registration; Enrolment Date; Date Submitted'],
  ['reference', 'Reference Number; NSTP Reference Code'],
  ['archivedDate', 'Date Archived; Archived on'],
  ['mark', 'Grade; Final Grade; Rating; Equivalent; NSTP Grade'],
])('the headings of %s: %s', (field, headings) => {
  expect(headings.split('; ').map((heading) => [heading, guessField(heading)])).toEqual(
    headings.split('; ').map((heading) => [heading, field]),
  )
})

test('of two columns for one field the first is taken', () => {
  expect(guessColumns(['Email', 'E-mail', 'Course'])).toEqual(['email', null, 'course'])
})

test.each([
  [
    ['House No.', 'Street', 'Barangay'],
    ['address', 'address', 'barangay'],
  ],
  [
    ['Blk', 'Lot #', 'Purok', 'Subdivision'],
    [null, null, 'address', 'address'],
  ],
  [
    ['Home Address', 'Street'],
    ['address', null],
  ],
])('columns of one address are joined where none has all of it: %j', (headers, fields) => {
  expect(guessColumns(headers)).toEqual(fields)
})

test.each([
  [['Program'], ['course']],
  [
    ['Degree Program', 'Year Level'],
    ['course', 'yearLevel'],
  ],
  [
    ['Degree', 'Program'],
    ['course', null],
  ],
  [
    ['Course', 'Degree Program'],
    ['course', 'program'],
  ],
  [
    ['Program', 'College/Department'],
    ['program', 'course'],
  ],
  [
    ['PROGRAM *', 'Department', 'Degree'],
    ['program', 'course', null],
  ],
])('the degree program has a field where another column is the course: %j', (headers, fields) => {
  expect(guessColumns(headers)).toEqual(fields)
})

describe('the row of headings', () => {
  const row = (...cells: string[]) => ({ number: 1, cells })

  test('is found below the name of the school and the title of the list', () => {
    expect(
      findHeader([
        row('Republic of the Philippines'),
        row('NSTP Masterlist', '', 'SY 2026-2027'),
        row('No.', 'Surname', 'First Name', 'Course'),
        row('1', 'Cruz', 'Ana', 'SOICT'),
      ]),
    ).toBe(2)
  })

  test('is the first row when no heading is recognized', () => {
    expect(findHeader([row('a', 'b'), row('c', 'd')])).toBe(0)
  })
})
