import { expect, test } from 'vitest'
import { meantMailDomain } from './mail-domain.ts'

test.each([
  ['juan@gmial.com', 'gmail.com'],
  ['juan@gmail.co', 'gmail.com'],
  ['juan@gmail.con', 'gmail.com'],
  ['juan@gmai.com', 'gmail.com'],
  ['juan@gmailcom', 'gmail.com'],
  ['juan@gmail,com', 'gmail.com'],
  [' Juan@GMAIL.CM ', 'gmail.com'],
  ['juan@@gmal.com', 'gmail.com'],
  ['juan@yaho.com', 'yahoo.com'],
  ['juan@yahoo.co', 'yahoo.com'],
  ['juan@yahoo.com.p', 'yahoo.com.ph'],
  ['juan@yaho.com.ph', 'yahoo.com.ph'],
  ['juan@outlok.com', 'outlook.com'],
  ['juan@hotmial.com', 'hotmail.com'],
  ['juan@hotmal.co', 'hotmail.com'],
  ['juan@iclod.com', 'icloud.com'],
  ['juan@ymail.con', 'ymail.com'],
])('%s probably means %s', (address, domain) => {
  expect(meantMailDomain(address)).toBe(domain)
})

test.each([
  ...['gmail.com', 'yahoo.com', 'yahoo.com.ph', 'outlook.com', 'hotmail.com', 'icloud.com', 'ymail.com'],
  ...['mail.com', 'email.com', 'gmx.com', 'live.com', 'me.com', 'aol.com', 'msn.com', 'proton.me'],
  ...['yahoo.com.sg', 'yahoo.com.au', 'yahoo.ca', 'yahoo.co.uk', 'hotmail.co.uk', 'outlook.ph'],
  ...['school.edu.ph', 'student.example', 'up.edu.ph', 'gov.ph'],
  'a'.repeat(100_000),
])('nothing is asked about %s', (domain) => {
  expect(meantMailDomain(`juan@${domain}`)).toBeUndefined()
})

test.each(['', 'juan', '@', 'juan@', 'gmial.com'])('%j has no domain to ask about', (address) => {
  expect(meantMailDomain(address)).toBeUndefined()
})
