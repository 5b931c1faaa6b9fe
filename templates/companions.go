package templates

import "github.com/dave/jennifer/jen"

// companions are the containers of the run time that a type names: of leases, and of the
// directory of tenants.
var companions = feature{
	in: func(t *Type) bool { return t.Leases != "" || t.Directory != "" },
	functions: func(f *file) {
		if f.Leases != "" {
			f.ensureLeases()
		}
		if f.Directory != "" {
			f.ensureDirectory()
		}
	},
}

// ensureLeases writes
//
//	func EnsureOrderLeases(
//		ctx context.Context, db *azcosmos.DatabaseClient, throughput admin.Throughput, opts ...admin.EnsureOption,
//	) (*azcosmos.ContainerClient, error) {
//		return admin.EnsureLeases(ctx, db, "leases", throughput, opts...)
//	}
func (f *file) ensureLeases() {
	f.ensureCompanion(f.ensureLeasesName,
		" creates the container of processors' leases, or checks the existing one: one to five requests. A *admin.ContainerError names each difference.",
		admin("EnsureOption"), azcosmos("ContainerClient"), admin("EnsureLeases"), f.Leases)
}

// ensureDirectory writes
//
//	func EnsureOrderDirectory(
//		ctx context.Context, db *azcosmos.DatabaseClient, throughput admin.Throughput, opts ...tenancy.DirectoryOption,
//	) (*tenancy.TenantDirectory, error) {
//		return tenancy.EnsureTenantDirectory(ctx, db, "tenants", throughput, opts...)
//	}
func (f *file) ensureDirectory() {
	f.ensureCompanion(f.ensureDirectoryName,
		" creates the container of the tenant directory, or checks the existing one: two to seven requests.",
		jen.Qual(tenancyPath, "DirectoryOption"), jen.Qual(tenancyPath, "TenantDirectory"), jen.Qual(tenancyPath, "EnsureTenantDirectory"), f.Directory)
}

// ensureCompanion writes a function that ensures a container of the run time.
func (f *file) ensureCompanion(name, doc string, option, result, ensure *jen.Statement, id string) {
	f.declare(name+doc,
		jen.Func().Id(name).Params(
			f.ctx(), param("db", ptr(azcosmos("DatabaseClient"))), param("throughput", admin("Throughput")), options(option),
		).Params(ptr(result), jen.Error()).Block(
			jen.Return(ensure.Call(jen.Id("ctx"), jen.Id("db"), jen.Lit(id), jen.Id("throughput"), spread(jen.Id("opts")))),
		))
}
