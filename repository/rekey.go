package repository

// opRekey is the operation of Rekey, as errors and events name it.
const opRekey = "rekey"
