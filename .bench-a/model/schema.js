// The written form of a resource: what a person puts into one JSON file. Read by schema/, extended by traits/.
export {};
