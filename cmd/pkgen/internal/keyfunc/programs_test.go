package keyfunc

import "fmt"

// programs are the languages that the vectors are run in. C# is run where a
// compiler happens to be: Debian has none that is current.
var programs = []program{
	{
		language: "go",
		file:     func(i int, _ *function) string { return fmt.Sprintf("case%d/keys.go", i) },
		mainFile: "main.go", main: goMain, tools: []string{"go"}, packages: "Go",
		argument: map[string]string{
			"string": "s(%d)", "text": "s(%d)", "bool": `s(%d) == "true"`, "int64": "integer(s(%d))",
			"uint64": "natural(s(%d))", "float64": "float(s(%d))", "time": "instant(s(%d))", "suffix": "int(integer(s(%d)))",
		},
		call:     "case \"NUMBER\": return caseNUMBER.NAME(ARGS)\n",
		commands: [][]string{{"go", "run", "."}},
		extra:    map[string]string{"go.mod": "module keys\n\ngo 1.25\n"},
	},
	{
		language: "python",
		file:     func(i int, _ *function) string { return fmt.Sprintf("case%d.py", i) },
		mainFile: "main.py", main: pythonMain, tools: []string{"python3"}, packages: "python3",
		argument: map[string]string{
			"string": "s(%d)", "text": "s(%d)", "bool": `s(%d) == "true"`, "int64": "int(s(%d))",
			"uint64": "int(s(%d))", "float64": "float(s(%d))", "time": "instant(s(%d))", "suffix": "int(s(%d))",
		},
		call:     "    \"NUMBER\": lambda s: caseNUMBER(ARGS),\n",
		commands: [][]string{{"python3", "main.py"}},
	},
	{
		language: "javascript",
		file:     func(i int, _ *function) string { return fmt.Sprintf("case%d.mjs", i) },
		mainFile: "main.mjs", main: javaScriptMain, tools: []string{"node"}, packages: "nodejs",
		argument: map[string]string{
			"string": "s(%d)", "text": "s(%d)", "bool": `s(%d) === "true"`, "int64": "BigInt(s(%d))",
			"uint64": "BigInt(s(%d))", "float64": "Number(s(%d))", "time": "new Date(s(%d))", "suffix": "Number(s(%d))",
		},
		call:     "  NUMBER: (s) => caseNUMBER(ARGS),\n",
		commands: [][]string{{"node", "main.mjs"}},
	},
	{
		language: "java",
		file:     func(_ int, f *function) string { return pascal(f.functionWords()) + ".java" },
		mainFile: "Main.java", main: javaMain, tools: []string{"javac", "java"}, packages: "default-jdk-headless",
		argument: map[string]string{
			"string": "s.of(%d)", "text": "s.of(%d)", "bool": `s.of(%d).equals("true")`, "int64": "Long.parseLong(s.of(%d))",
			"uint64": "Long.parseUnsignedLong(s.of(%d))", "float64": "Double.parseDouble(s.of(%d))",
			"time": "OffsetDateTime.parse(s.of(%d)).toInstant()", "suffix": "Integer.parseInt(s.of(%d))",
		},
		call: "            case \"NUMBER\": return NAME.of(ARGS);\n",
		commands: [][]string{
			{"javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-encoding", "UTF-8", "-d", "out", "Main.java"},
			{"java", "-cp", "out", "-Duser.language=ar", "-Duser.country=EG", "Main"},
		},
	},
	{
		language: "csharp",
		file:     func(_ int, f *function) string { return pascal(f.functionWords()) + ".cs" },
		mainFile: "Program.cs", main: cSharpMain, tools: []string{"mcs", "mono"},
		argument: cSharpArguments, call: cSharpCall,
		commands: [][]string{{"mcs", "-out:keys.exe", "-recurse:*.cs"}, {"mono", "keys.exe"}},
	},
	{
		language: "csharp",
		file:     func(_ int, f *function) string { return pascal(f.functionWords()) + ".cs" },
		mainFile: "Program.cs", main: cSharpMain, tools: []string{"dotnet"},
		argument: cSharpArguments, call: cSharpCall,
		commands: [][]string{{"dotnet", "run"}},
		extra:    map[string]string{"keys.csproj": cSharpProject},
	},
}

var cSharpArguments = map[string]string{
	"string": "s(%d)", "text": "s(%d)", "bool": `s(%d) == "true"`, "int64": "long.Parse(s(%d), CultureInfo.InvariantCulture)",
	"uint64": "ulong.Parse(s(%d), CultureInfo.InvariantCulture)", "float64": "double.Parse(s(%d), CultureInfo.InvariantCulture)",
	"time": "DateTimeOffset.Parse(s(%d), CultureInfo.InvariantCulture)", "suffix": "int.Parse(s(%d), CultureInfo.InvariantCulture)",
}

const cSharpCall = "            case \"NUMBER\": return NAME.Create(ARGS);\n"

const goMain = `package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	IMPORTS
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func integer(s string) int64     { return must(strconv.ParseInt(s, 10, 64)) }
func natural(s string) uint64    { return must(strconv.ParseUint(s, 10, 64)) }
func float(s string) float64     { return must(strconv.ParseFloat(s, 64)) }
func instant(s string) time.Time { return must(time.Parse(time.RFC3339Nano, s)) }

func orRefused[T any](key T, err error) any {
	if err != nil {
		return err
	}
	return key
}

func key(number string, s func(int) string) any {
	switch number {
	CASES
	}
	panic(number)
}

func text(key any) string {
	switch key := key.(type) {
	case string:
		return "s" + hex.EncodeToString([]byte(key))
	case []string:
		levels := make([]any, len(key))
		for i, level := range key {
			levels[i] = level
		}
		return text(levels)
	case []any:
		levels := make([]string, len(key))
		for i, level := range key {
			levels[i] = text(level)
		}
		return "[" + strings.Join(levels, ",")
	case bool:
		return fmt.Sprint("b", key)
	case error:
		return "refused"
	}
	return fmt.Sprint("n", key)
}

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Split(lines.Text(), " ")
		fmt.Println(text(key(words[0], func(i int) string { return string(must(hex.DecodeString(words[i]))) })))
	}
}
`

const pythonMain = `import sys
from datetime import datetime

IMPORTS

def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))

def text(key):
    if isinstance(key, list):
        return "[" + ",".join(map(text, key))
    if isinstance(key, str):
        return "s" + key.encode().hex()
    if isinstance(key, bool):
        return "btrue" if key else "bfalse"
    return f"n{key}"

cases = {
CASES
}
for line in sys.stdin:
    words = line.rstrip("\n").split(" ")
    try:
        print(text(cases[words[0]](lambda i: bytes.fromhex(words[i]).decode())))
    except ValueError:
        print("refused")
`

const javaScriptMain = `import { readFileSync } from "node:fs";
IMPORTS
const cases = {
CASES
};

function text(key) {
  if (Array.isArray(key)) return "[" + key.map(text).join(",");
  if (typeof key === "string") return "s" + Buffer.from(key).toString("hex");
  return (typeof key === "boolean" ? "b" : "n") + key;
}

for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) {
  const words = line.split(" ");
  try {
    console.log(text(cases[words[0]]((i) => Buffer.from(words[i], "hex").toString())));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.log("refused");
  }
}
`

const javaMain = `import java.io.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.*;

public class Main {
    interface Inputs { String of(int i); }

    static Object key(String number, Inputs s) {
        switch (number) {
CASES
        }
        throw new IllegalStateException(number);
    }

    static String text(Object key) {
        if (key instanceof List) {
            StringJoiner levels = new StringJoiner(",", "[", "");
            for (Object level : (List<?>) key) levels.add(text(level));
            return levels.toString();
        }
        if (key instanceof String) {
            StringBuilder hex = new StringBuilder("s");
            for (byte b : ((String) key).getBytes(StandardCharsets.UTF_8)) hex.append(Integer.toHexString(b & 0xff | 0x100), 1, 3);
            return hex.toString();
        }
        return (key instanceof Boolean ? "b" : "n") + key;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        StringBuilder out = new StringBuilder();
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ");
            try {
                out.append(text(key(words[0], i -> {
                    byte[] bytes = new byte[words[i].length() / 2];
                    for (int n = 0; n < bytes.length; n++) bytes[n] = (byte) Integer.parseInt(words[i].substring(2 * n, 2 * n + 2), 16);
                    return new String(bytes, StandardCharsets.UTF_8);
                })));
            } catch (IllegalArgumentException e) {
                if (!e.getMessage().contains("beyond")) throw e;
                out.append("refused");
            }
            out.append('\n');
        }
        System.out.print(out);
    }
}
`

const cSharpProject = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net$(BundledNETCoreAppTargetFrameworkVersion)</TargetFramework>
    <UseAppHost>false</UseAppHost>
  </PropertyGroup>
</Project>
`

const cSharpMain = `using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

public static class Program
{
    static object Key(string number, Func<int, string> s)
    {
        switch (number)
        {
CASES
        }
        throw new InvalidOperationException(number);
    }

    static string Text(object key)
    {
        var levels = key as IEnumerable<object>;
        if (levels != null) return "[" + string.Join(",", levels.Select(Text));
        var text = key as string;
        if (text != null) return "s" + string.Concat(Encoding.UTF8.GetBytes(text).Select(b => b.ToString("x2")));
        if (key is bool) return (bool)key ? "btrue" : "bfalse";
        return "n" + ((double)key).ToString("R", CultureInfo.InvariantCulture);
    }

    static string Decode(string hex)
    {
        var bytes = new byte[hex.Length / 2];
        for (int i = 0; i < bytes.Length; i++) bytes[i] = Convert.ToByte(hex.Substring(2 * i, 2), 16);
        return Encoding.UTF8.GetString(bytes);
    }

    public static void Main()
    {
        CultureInfo.CurrentCulture = new CultureInfo("ar-SA");
        for (string line; (line = Console.In.ReadLine()) != null; )
        {
            var words = line.Split(' ');
            try
            {
                Console.WriteLine(Text(Key(words[0], i => Decode(words[i]))));
            }
            catch (ArgumentOutOfRangeException)
            {
                Console.WriteLine("refused");
            }
        }
    }
}
`
