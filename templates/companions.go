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
	f.declare(f.ensureLeasesName+" creates the container of the leases of processors, or compares the one that is there: one to five requests. A *admin.ContainerError names each difference.",
		jen.Func().Id(f.ensureLeasesName).Params(
			f.ctx(), param("db", ptr(azcosmos("DatabaseClient"))), param("throughput", admin("Throughput")), options(admin("EnsureOption")),
		).Params(ptr(azcosmos("ContainerClient")), jen.Error()).Block(
			jen.Return(admin("EnsureLeases").Call(jen.Id("ctx"), jen.Id("db"), jen.Lit(f.Leases), jen.Id("throughput"), spread(jen.Id("opts")))),
		))
}

// ensureDirectory writes
//
//	func EnsureOrderDirectory(
//		ctx context.Context, db *azcosmos.DatabaseClient, throughput admin.Throughput, opts ...tenancy.DirectoryOption,
//	) (*tenancy.TenantDirectory, error) {
//		return tenancy.EnsureTenantDirectory(ctx, db, "tenants", throughput, opts...)
//	}
func (f *file) ensureDirectory() {
	f.declare(f.ensureDirectoryName+" creates the container of the directory, which says where tenants live, or compares the one that is there: two to seven requests.",
		jen.Func().Id(f.ensureDirectoryName).Params(
			f.ctx(), param("db", ptr(azcosmos("DatabaseClient"))), param("throughput", admin("Throughput")), options(jen.Qual(tenancyPath, "DirectoryOption")),
		).Params(ptr(jen.Qual(tenancyPath, "TenantDirectory")), jen.Error()).Block(
			jen.Return(jen.Qual(tenancyPath, "EnsureTenantDirectory").Call(jen.Id("ctx"), jen.Id("db"), jen.Lit(f.Directory), jen.Id("throughput"), spread(jen.Id("opts")))),
		))
}
