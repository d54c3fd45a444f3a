/** So many of each kind of evidence are ranked; of longer answers as many as are asked for. */
export const bestOfEach = 40
