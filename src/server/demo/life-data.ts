import { loadPostalCodes, type PostalCode } from '#server/features/registration/postal-codes.ts'
import type { Random } from './random.ts'

export function textList(text: string): readonly string[] {
  return text.split(';').map((item) => item.trim())
}

export const barangays = textList(`
  San Isidro; Poblacion; San Jose; San Antonio; Sta. Cruz; San Roque; San Nicolas; Bagong Silang;
  Salawag; Sto. Niño; Langkaan II; Burol Main; Sampaloc IV; Paliparan III; Molino III; Talaba;
  Malagasang 2-G; Anabu I-B; Bucal; Pinagbuhatan; Zone 4; Tunasan; Pulang Lupa Dos; Barangay 176
`)

export const streets = textList(`
  Rizal; Mabini; Bonifacio; Sampaguita; Ilang-Ilang; J.P. Rizal; M.H. del Pilar; Gen. Luna; Quezon;
  Magsaysay; A. Mabini; Kalayaan; Narra; Molave; Acacia; P. Burgos
`)

export const subdivisions = textList(`
  Villa Nicasia; Greengate Homes; Camella Springville; Golden City; Mabuhay City; Southplains Executive;
  Bellavista; Sunrise Hills; Lancaster New City; Dexterville
`)

export const religions = [
  ['Roman Catholic', 70],
  ['Catholic', 6],
  ['Iglesia ni Cristo', 5],
  ['Islam', 4],
  ['Born Again Christian', 5],
  ['Born-again', 1],
  ['Seventh-day Adventist', 2],
  ['Aglipayan', 1],
  ["Jehovah's Witness", 1],
  ['Baptist', 1],
  ['Church of Jesus Christ of Latter-day Saints', 1],
  ['United Church of Christ in the Philippines', 1],
  ['None', 1],
  ['', 3],
] as const

export const citizenships = [
  ['Filipino', 955],
  ['FILIPINO', 20],
  ['Filipina', 10],
  ['Dual (Filipino and American)', 5],
  ['Korean', 3],
  ['Indian', 3],
  ['Chinese', 2],
  ['Nigerian', 2],
] as const

export const bloodTypeShares = [
  ['', 30],
  ['O+', 31],
  ['A+', 15],
  ['B+', 16],
  ['AB+', 5],
  ['O-', 1],
  ['A-', 1],
  ['B-', 0.7],
  ['AB-', 0.3],
] as const

export const occupations = textList(`
  Tricycle driver; Jeepney driver; OFW; OFW (Saudi Arabia); Seaman; Farmer; Fisherman; Carpenter;
  Teacher; Public school teacher; Nurse; Factory worker; Security guard; Barangay tanod; Engineer;
  Self-employed; Government employee; Electrician; Mechanic; Construction worker; Sari-sari store owner;
  Call center agent; Police officer; Pastor; Deceased; N/A
`)

export const motherOccupations = textList(`
  Housewife; Housewife; Housewife; Homemaker; Vendor; Market vendor; OFW (Hong Kong); OFW;
  Public school teacher; Nurse; Midwife; Barangay health worker; Seamstress; Factory worker; Cashier;
  Sari-sari store owner; Government employee; Accountant; Laundrywoman; Self-employed; N/A
`)

export const relationships = textList(`
  Aunt; Uncle; Grandmother; Grandfather; Mother; Father; Sister; Brother; Lola; Tita; Kuya
`)

export const saints = textList(`
  St. Jude; Holy Rosary; Immaculate Conception; Our Lady of the Holy Rosary; St. Francis; San Sebastian;
  Sacred Heart; St. Thérèse of the Child Jesus; St. Peter's; Sto. Niño
`)

export const colleges = textList(`
  Cavite State University; De La Salle University - Dasmariñas; Lyceum of the Philippines University;
  Rogationist College; National College of Science and Technology;
  Imus Institute of Science and Technology
`)

export const workExperiences = textList(`
  Service crew, summer job; Fast-food crew, 6 months; Online seller;
  Tutor of elementary pupils, weekends; Barista; Sales clerk at a department store;
  Helper at the family store; Encoder (work immersion, 80 hours); Call center agent, 1 year;
  Construction helper; Student assistant\nLibrary aide; SPES, municipal hall
`)

export const skillChoices = textList(`
  Computer literate; First aid; Basic life support; Driving; Cooking; Baking; Photo editing;
  Video editing; Programming; Swimming; Public speaking; Dancing; Singing; Playing the guitar; Carpentry;
  Electrical wiring (NC II); Sewing; Drawing; Martial arts; Bookkeeping
`)

export const hobbyChoices = textList(`
  Basketball; Volleyball; Badminton; Mobile Legends; Reading; Watching K-drama; Cooking; Biking; Hiking;
  Dancing; Singing; Drawing; Gardening; Photography; Chess; Sepak takraw
`)

// Reserved domains (RFC 2606): a demo mails no real person.
export const mailDomains = [
  'example.com',
  'example.net',
  'example.org',
  'student.example',
  'mail.example',
] as const

// The first four digits; 555 after them marks a demo number.
export const mobilePrefixes = textList(`
  0905; 0906; 0915; 0917; 0918; 0919; 0920; 0927; 0928; 0936; 0945; 0956; 0961; 0977; 0995; 0998
`)

export interface Towns {
  home: (random: Random) => PostalCode
  anywhere: (random: Random) => PostalCode
}

const nearbyProvinces = [
  ['Cavite', 52],
  ['Laguna', 14],
  ['Metro Manila', 12],
  ['Batangas', 8],
  ['Rizal', 4],
  ['', 10],
] as const

// Long or composed names are postal districts, not towns.
const districtName = /[,(\d]|.{30}/

export async function loadTowns(): Promise<Towns> {
  const municipalities = (await loadPostalCodes()).filter(
    ({ municipality }) => !districtName.test(municipality),
  )
  const byProvince = new Map<string, PostalCode[]>([['', municipalities]])
  for (const municipality_ of municipalities) {
    byProvince.set(municipality_.province, [...(byProvince.get(municipality_.province) ?? []), municipality_])
  }
  return {
    home: (random) => random.pick(byProvince.get(random.weigh(nearbyProvinces)) ?? municipalities),
    anywhere: (random) => random.pick(municipalities),
  }
}
