package main

// commands returns all commands: pkgen itself, then its subcommands in the order
// in which help lists them.
func commands() []command { return append(work(), aboutItself()...) }

// documented returns all commands, each followed by those below it.
func documented() []command {
	var all []command
	for _, c := range commands() {
		all = append(append(all, c), c.below...)
	}
	return all
}

// work are the commands that pkgen is for.
func work() []command {
	return []command{
		{
			arguments: "[packages]", help: "write keys and repositories",
			about:    "Writes a partition key and a typed repository for each type with cosmos tags.",
			examples: []example{{"pkgen ./...", "the whole module"}, {"pkgen -check ./...", "fail if a file is out of date, for CI"}},
			bind:     bindGenerate,
		},
		{
			name: "init", arguments: "[packages]", help: "propose tags for types that have none",
			about: "Proposes a partition key for each struct type that has JSON names, an id, and no cosmos tags: it prints the tags as a diff, " +
				"the reasons, what reads would cost, and what only you can know. A key cannot be changed once documents are stored, " +
				"so take a proposal for a question. A property whose name says that it changes, such as ownerId, is proposed in none. " +
				"A struct that is stored in another document gets no key, and each document gets a container of its own. Init writes nothing without -write.",
			examples: []example{{"pkgen init ./...", ""}, {"pkgen init -type Order -write ./shop", ""}},
			bind:     bindInit,
		},
		{
			name: "explain", arguments: "[packages]",
			help: "say how keys are made and what methods cost",
			about: "Says for each type with cosmos tags how its partition key is made, with an example, and what its methods cost. " +
				"With -container, prints its container for Bicep, Terraform or the Azure CLI. Explain writes no files.",
			examples: []example{
				{"pkgen explain -type VehicleEvent ./fleet", "one type"},
				{"pkgen explain -json ./... | jq '.[].layout'", "for programs"},
				{"pkgen explain -container bicep ./...", "for a deployment"},
			},
			bind: bindExplain,
		},
		{
			name: "seal", arguments: "[packages]",
			help: "bind layouts that are drafts, for ever",
			about: "Binds the present layouts of types for ever, and generates. A new layout is a draft: it can change, and clients made with " +
				"repository.Configure refuse it at every endpoint but this machine. After seal, pkgen refuses to change it." +
				" With -rekeyed it binds nothing: it drops the earlier numbers of buckets, was, that tags no longer have, from the lock. Run it when Rekey says that all documents have moved.",
			examples: []example{{"pkgen seal ./...", ""}, {"pkgen seal -type Order ./shop", "one type"}, {"pkgen seal -rekeyed -type Order ./shop", "was is no longer in the tag"}},
			bind:     bindSeal,
		},
		{
			name: "forget", arguments: "[packages]",
			help: "drop the layouts of types that are gone",
			about: "Drops the layout of a removed type from pkgen.lock. The layout stays there, marked as gone, since documents of the type may be stored: " +
				"run forget when no such document is left.",
			examples: []example{{"pkgen forget -type Order ./shop", ""}},
			bind:     bindForget,
		},
		{
			name: "keys", arguments: "[packages]",
			help: "print a key function in another language",
			about: "Prints a function that makes the partition key of one type in another language, for programs that share the container: " +
				"short, without dependencies, and equal to the generated Go to the last byte.",
			examples: []example{{"pkgen keys -lang python -type VehicleEvent ./fleet > vehicle_event_key.py", ""}},
			bind:     bindKeys,
		},
		{
			name: "vet", arguments: "[packages]",
			help: "find mistakes in tags and in the use of generated code",
			about: "Finds tags that pkgen would refuse, generated code that does not match the tags, key fields that are changed " +
				"before a document is stored again, partition keys made by hand for the container of a repository, bulk operations and " +
				"transactions that never run, and conditions and errors of queries that nobody looks at. Vet writes nothing without -fix. The exit code is 1 if something is found.",
			examples: []example{{"pkgen vet ./...", ""}, {"go vet -vettool=$(go tool -n pkgen) ./...", "keeps the results"}},
			bind:     bindVet,
		},
		analyzeCommand(),
		simulateCommand(),
		verifyCommand(),
		migrateCommand(),
		moveTenantCommand(),
		upgradeCommand(),
		dumpCommand(),
		loadCommand(),
		doctorCommand(),
		{
			name:     "tags",
			help:     "print the words of the cosmos tag",
			about:    "Prints the words of the cosmos tag, for fields and for types, and the notes that a tag can acknowledge.",
			examples: []example{{"pkgen tags", ""}},
			bind:     bindTags,
		},
		emulatorCommand(),
	}
}

// analyzeCommand is pkgen analyze.
func analyzeCommand() command {
	return command{
		name: "analyze", arguments: "[packages]",
		help:     "show what keys do with a sample of documents",
		about:    "Shows what layouts do with a sample: busy keys, physical partitions, findings.",
		examples: []example{{"pkgen analyze -in fleet/events.ndjson -layout '{date}' -buckets 10,50 ./fleet", ""}},
		bind:     bindAnalyze,
	}
}

// simulateCommand is pkgen simulate.
func simulateCommand() command {
	return command{
		name: "simulate", arguments: "SCENARIO",
		help: "run a load against several layouts, in virtual time",
		about: "Runs the operations of a scenario file against physical partitions with budgets of request units, under each of its layouts, " +
			"and compares throughput, 429s and latencies. It sends nothing and reads no clock: a scenario and a seed have the same figures on every machine.",
		examples: []example{
			{"pkgen simulate fleet/rush-hour.json", ""},
			{"pkgen simulate -seed 2 -o rush-hour.html fleet/rush-hour.json", "a page with charts"},
		},
		bind: bindSimulate,
	}
}

// verifyCommand is pkgen verify.
func verifyCommand() command {
	return command{
		name: "verify", arguments: "[packages]",
		help: "compare stored documents with pkgen.lock",
		about: "Reads containers, and reports documents that lie under another key than their properties make, and other differences from the lock. " +
			"Without -mend it changes nothing. COSMOS_CONNECTION_STRING names the account. Reading costs request units. The exit code is 1 if something is found.",
		examples: []example{
			{"pkgen verify ./...", "all containers of the module"},
			{"pkgen verify -sample 5 -budget 2000 ./shop", "a part of them"},
		},
		bind: bindVerify,
	}
}

// migrateCommand is pkgen migrate.
func migrateCommand() command {
	return command{
		name: "migrate", arguments: "[packages]",
		help: "copy a container into one with another layout",
		about: "Copies a container into an empty one, under the layout in pkgen.lock, while programs go on writing. " +
			"Run it again to bring the copy up to date, also after a crash. COSMOS_CONNECTION_STRING names the account. " +
			"The exit code is 1 if documents have no place, or if the sides differ.",
		examples: []example{
			{"pkgen migrate -from events -to daily -dry-run ./fleet", ""},
			{"pkgen migrate -from events -to daily -budget 2000 ./fleet", ""},
			{"pkgen migrate -from events -to daily -cutover ./fleet", ""},
		},
		bind: bindMigrate,
	}
}

// moveTenantCommand is pkgen move-tenant.
func moveTenantCommand() command {
	return command{
		name: "move-tenant", arguments: "[packages]",
		help: "move a tenant to another container",
		about: "Moves the documents of a tenant, while programs read and write them, to a container of its own, or back to the one that tenants share. " +
			"The packages have types with own= in their tags; all types of a container move together. The destination exists. " +
			"Run the command again after a crash: it goes on. COSMOS_CONNECTION_STRING names the account.",
		examples: []example{
			{"pkgen move-tenant -tenant contoso -dry-run ./shop", ""},
			{"pkgen move-tenant -tenant contoso -budget 2000 ./shop", "to its own container"},
			{"pkgen move-tenant -tenant contoso -to orders ./shop", "back to the shared one"},
		},
		bind: bindMoveTenant,
	}
}

// upgradeCommand is pkgen upgrade.
func upgradeCommand() command {
	return command{
		name: "upgrade", arguments: "[packages]",
		help: "rewrite documents of earlier releases",
		about: "Rewrites documents that have properties under former names (was=), while programs read and write them, and counts documents of earlier forms (schema=). " +
			"Only code can rewrite those: call Upgrade of the repository, which also does the rest. Run the command again after a crash: it goes on. " +
			"COSMOS_CONNECTION_STRING names the account. The exit code is 1 if documents of earlier releases are left.",
		examples: []example{
			{"pkgen upgrade -dry-run ./...", "counts"},
			{"pkgen upgrade -type Person -budget 400 ./people", "at most 400 RU/s"},
		},
		bind: bindUpgrade,
	}
}

// dumpCommand is pkgen dump.
func dumpCommand() command {
	return command{
		name: "dump",
		help: "write the documents of a container to a file",
		about: "Writes a container as NDJSON: a line with its settings, and a line for each document, which pkgen load and pkgen emulator -load read. " +
			"Run it again after a crash: it goes on. COSMOS_CONNECTION_STRING names the account. Reading costs request units.",
		examples: []example{
			{"pkgen dump -container orders -o orders.ndjson.gz", ""},
			{"pkgen dump -container orders -budget 400 -o orders.ndjson.zst", "at most 400 RU/s"},
		},
		bind: bindDumpContainer,
	}
}

// loadCommand is pkgen load.
func loadCommand() command {
	return command{
		name: "load",
		help: "store the documents of a file in a container",
		about: "Stores each document of a file: it replaces the one with the same key and id. Run it again after a crash: it goes on. " +
			"COSMOS_CONNECTION_STRING names the account. The exit code is 1 if lines are refused; they are listed.",
		examples: []example{
			{"pkgen load -container orders -in orders.ndjson.gz", ""},
			{"pkgen load -container orders -keep -budget 400 -in orders.ndjson", "adds what is missing"},
		},
		bind: bindLoadContainer,
	}
}

// doctorCommand is pkgen doctor.
func doctorCommand() command {
	return command{
		name: "doctor", arguments: "[packages]",
		help: "say what is wrong with an account and its containers",
		about: "Examines an account, the containers of packages, and versions, and prints a table in Markdown, with what to do. It writes nothing without -probe. " +
			"COSMOS_CONNECTION_STRING names the account. The exit code is 1 if something is wrong, and 2 if no container was examined.",
		examples: []example{
			{"pkgen doctor ./...", ""},
			{"pkgen doctor -probe", "is the service as pkgen assumes?"},
		},
		bind: bindDoctor,
	}
}

// emulatorCommand is pkgen emulator.
func emulatorCommand() command {
	return command{
		name: "emulator", arguments: "[dump]",
		help:  "serve Cosmos DB, for tests and development",
		about: "Serves an Azure Cosmos DB for NoSQL account until it is interrupted. When the server is ready, it prints how programs connect to it.",
		examples: []example{
			{"pkgen emulator -partitions 5", ""},
			{"pkgen emulator -http -data ./cosmos", "keeps the databases"},
			{"pkgen emulator dump -data ./cosmos -o testdata", "writes them to files"},
		},
		below:    []command{emulatorDump()},
		bind:     bindEmulator,
	}
}

// emulatorDump is pkgen emulator dump.
func emulatorDump() command {
	return command{
		name: "emulator dump",
		help: "write the databases of a data folder to files",
		about: "Writes a file of NDJSON for each container of a data folder, which pkgen emulator -load reads. It replaces no files. " +
			"If the data folder is damaged, it writes all whole documents, and the exit code is 2.",
		examples: []example{{"pkgen emulator dump -data ./cosmos -o testdata", ""}},
		bind:     bindDump,
	}
}

// aboutItself are the commands that are about pkgen itself, help last.
func aboutItself() []command {
	return []command{
		{
			name:     "version",
			help:     "print the version",
			about:    "Prints the version of pkgen and of the Go that it was built with. Generated code and the repository package belong together: use the version in go.mod.",
			examples: []example{{"pkgen version", ""}},
			bind:     bindVersion,
		},
		{
			name: "help", arguments: "[command]",
			help:     "print the help of a command",
			about:    "Prints the help of a command, as its flag -h does, or of pkgen itself.",
			examples: []example{{"pkgen help explain", ""}},
			bind:     bindHelp,
		},
	}
}
