/** '1 student', '20,000 students'. */
export function studentsIn(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'student' : 'students'}`
}
